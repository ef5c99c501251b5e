"""Reaching a provider: HTTP client, retries, limits, redaction."""

import sys
from typing import Any, cast

# httpx reads its own command line, and with it rich, click and pygments, whenever it is imported. Nobody here needs that,
# and it is two thirds of the import: Python is told that there is none, which httpx allows for.
cast("dict[str, Any]", sys.modules).setdefault("httpx._main", None)
