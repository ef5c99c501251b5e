"""Words that say of a call that it is not made: shown, supposed, denied, in the languages whose models write most.

Each table is searched for in the text before a call, at its end where nothing else is said; every line has its example.
"""

from __future__ import annotations

from workbench.formats.kit.wordings import Wording

EXAMPLES = (
    Wording(
        r"(?:for example|for instance|e\.g\.|such as|as an example|examples?(?: calls?| outputs?| usages?)?"
        r"(?: of (?:the|this|that) (?:format|syntax|markup|notation|template))?)[,:]?"
        r"(?: to [\w ]{1,40},?)?(?: (?:you|one|it|i|we|the model) (?:would|could|might|can|may) [\w ]{1,30})?",
        "For instance, to get the weather one would write",
    ),
    Wording(r"\b(?:format|syntax|markup|notation|template) (?:is|reads|looks like this)", "The documented format is:"),
    Wording(r"\bsomething (?:like|similar to)(?: this)?", "It produces something like"),
    Wording(
        r"\bwhat (?:the|a|this|that|such a) (?:\w+ )?call would look like", "Here is what the call would look like:"
    ),
    Wording(
        r"\b(?:a|the|your|such a) (?:tool |function )?call "
        r"(?:is (?:written|formatted|expressed) (?:as|like)|looks like|(?:could|might|may|can) look like)(?: this)?",
        "A tool call looks like this:",
    ),
    Wording(
        r"\bhere(?:['’]s| is) how (?:the|this|that|a|such a) [\w ]{1,30}? (?:works|looks|is written)",
        "Here is how the format works:",
    ),
    Wording(r"\bavailable (?:tools|functions)(?: (?:are|include))?", "Available tools:"),
    Wording(
        r"\byou (?:would|could|might)(?: then| also| simply| just)? (?:write|type|send|issue|enter|say)\b[^.!?:\n]{0,60}:",
        "You would then type into the field:",
    ),
    Wording(
        r"\b(?:could|might|may)(?: then| also| simply| just)? (?:write|call|use|type|send|run|invoke|issue|look|be)\b"
        r"[^.!?:\n]{0,20} like(?: this)?",
        "It might look more like this:",
    ),
    Wording(
        r"\b(?:here['’]?s|here (?:is|are)|this is|below is) (?:an?|one|the|some) (?:\w+ )?examples? (?:of|for) (?!how\b)[^.!?:\n]{1,60}:",
        "Here is an example of a call:",
    ),
    Wording(
        r"\b(?:my|the) (?:previous|earlier|last|failed|former) (?:call|attempt|request|try)s? (?:was|were|had been)",
        "My last attempt was:",
    ),
    Wording(
        r"\b(?:request|response|reply|body|payload|object|message) [^.!?:\n]{0,60}looks? like(?: this)?",
        "The body that is sent looks like this:",
    ),
    Wording(
        r"\byou(?: have|['’]ve)?(?: just)? (?:pasted|sent|wrote|written|posted|quoted|shared|showed|shown)\b[^.!?,:\n]{0,20}[,:]",
        "You have just pasted this:",
    ),
    Wording(r"\b(?:request|body|payload) (?:would|could|might) be", "The request would be:"),
    Wording(
        r"\b(?:models?|versions?|engines?|parsers?|servers?|templates?|famil(?:y|ies))(?: (?:then|also|only|will|would|usually|often|sometimes))?"
        r" (?:writes?|wrote|emits?|emitted|outputs?|produces?|produced|prints?|printed|generates?|expects?|repl(?:y|ies) with|answers? with)",
        "Older versions wrote",
    ),
    Wording(
        r"\b(?:reply|text|output|response|message|log|string|prompt)(?: (?:might|may|could|can|must|should))?"
        r" (?:contains?|includes?|begins? with|starts? with|ends? with)",
        "If the reply contains",
    ),
    Wording(r"\b(?:(?:you|we) (?:(?:can|could|will|may|might) )?(?:see|find|notice)|I (?:saw|noticed))", "You can see"),
    Wording(
        r"\b(?:the|an?|this|that) (?:\w+ )?(?:syntax|marker|tag|markup|notation|opener|delimiter|literal)",
        "The opening tag",
    ),
    Wording(r"\b(?:what(?:['’]s| (?:does|do|did|is|are|was))|(?:note|remember|notice) that)", "Question: what does"),
    Wording(
        r"\bthe user(?: has| had)?(?: just)? (?:pasted|sent|wrote|typed|posted|quoted|shared|showed)", "The user pasted"
    ),
    Wording(
        r"\b(?:documented|written|defined|described|specified|formatted) (?:as follows|like (?:this|so))",
        "It is documented as follows:",
    ),
    Wording(
        r"\b(?:POST|PUT|send|submit)(?: it)?(?: with)? (?:this|the following)(?: \w{1,12})? (?:body|payload|json|request|object|message|data)",
        "To use it over HTTP, POST this body:",
    ),
    Wording(r"\b(?:has|have|takes?|of) the (?:form|shape|structure)", "The body has the form"),
    Wording(
        r"\b(?:instructions?|prompt|rules?|guidelines?)\b[^.!?\n]{0,60}(?:respond|reply|answer)\w{0,3} with",
        "The instructions say that I should respond with",
    ),
    Wording(
        r"\b(?:your (?:message|text|prompt|file|logs?|code|script|output|history|error(?: message)?)"
        r"|the (?:\w+ )?(?:log|docs|documentation|manual|specification|error(?: message)?)) (?:says?|shows?|contains?|reads?)",
        "The server log says:",
    ),
    Wording(
        r"\b(?:zum beispiel|beispielsweise|so aus|par exemple|por ejemplo|por exemplo|ad esempio|bijvoorbeeld|например)",
        "Zum Beispiel:",
    ),
    Wording(
        r"\b(?:hier (?:ist|kommt) ein beispiel|voici un exemple|(?:aquí|he aquí|este) (?:tienes |hay |está |es )?un ejemplo"
        r"|aqui está um exemplo|ecco un esempio)\b[^.!?:\n]{0,60}",
        "Voici un exemple d'appel:",
    ),
    Wording(
        r"(?:例如|比如|示例|例子|格式如下|例えば|예를 들어|예시)[^\n。]{0,40}(?:[:：]|(?:次|以下)のように[^\n。]{0,12}。)",
        "例如，这样写：",
    ),
)
"""What follows these words is shown as an example or quoted."""

UNREAL = (
    Wording(
        r"\bif (?:only )?(?:\w+ ){1,3}?(?:could|had|were|was|did(?:n['’]t)?)\b[^.!?:\n]{0,80}?\b(?:I|we|you|one|it)(?:['’]d| would| could| might)\b",
        "If you had asked for Rome, I would send:",
    ),
    Wording(
        r"\b(?:had|were|could) (?:I|we)\b[^.!?:\n]{0,80}?\b(?:I|we)(?:['’]d| would| could)\b",
        "Had I the tool, I’d call it:",
    ),
    Wording(
        r"\b(?:I|we)(?:['’]d| would) have (?:\w+ly |just )?(?:called|sent|written|used|typed|issued|run|made|emitted|invoked|output)\b",
        "I would have sent",
    ),
    Wording(r"\b(?:I|we) wish (?:that )?(?:I|we) could\b", "I wish I could send"),
    Wording(
        r"\b(?:wenn ich|könnte ich|hätte ich|dürfte ich)\b[^.!?:\n]{0,80}?\bwürde ich\b", "Wenn ich könnte, würde ich"
    ),
    Wording(r"\bsi (?:je |j['’]|on )[^.!?:\n]{0,80}?\bj(?:e |['’])\w+rais\b", "Si je pouvais, j'enverrais"),
    Wording(r"\bsi (?:yo )?(?:pudi|tuvi|fue)\w{2,4}\b[^.!?:\n]{0,80}?\b\w+ría\b", "Si pudiera, enviaría"),
    Wording(r"\bse (?:eu )?(?:pudesse|tivesse|fosse)\b[^.!?:\n]{0,80}?\b\w+ria\b", "Se eu pudesse, enviaria"),
    Wording(r"\bse (?:io )?(?:potessi|avessi|fossi)\b[^.!?:\n]{0,80}?\b\w+rei\b", "Se potessi, invierei"),
    Wording(r"\bals ik\b[^.!?:\n]{0,80}?\bzou ik\b", "Als ik kon, zou ik"),
    Wording(r"\bgdybym\b[^.!?:\n]{0,80}?\b\w+ł[ao]?bym\b", "Gdybym mógł, wysłałbym"),
    Wording(r"\bесли бы\b[^.!?:\n]{0,80}?\bбы\b", "Если бы я мог, я бы отправил"),
    Wording(r"(?:如果|要是|假如)我(?:能|可以)[^。！？:：\n]{0,40}?(?:会|就|将)", "如果我能，我会发送"),
    Wording(r"もし[^。\n]{0,40}?(?:たら|れば|なら)", "もしできたら、"),
    Wording(r"수 있(?:다면|었다면)", "할 수 있다면"),
)
"""What would be done if something were otherwise: by these words nobody does it."""

DENIALS = (
    Wording(
        r"\b(?:none|neither|no(?: \w+)?)\b(?: of)?(?: \w+){0,4} (?:functions?|tools?|apis?)\b",
        "There is no suitable tool for this.",
    ),
    Wording(
        r"\b(?:functions?|tools?)\b[^.\n]{0,60}(?:\bcannot|\bcan ?not|n['’]t|\bnot|\bunable)\b[^.\n]{0,40}"
        r"\b(?:used?|answer\w*|help|suitable|relevant|appropriate|applicable|provided?|available|support\w*|designed|related|match\w*|able)\b",
        "The tools given are not suitable.",
    ),
    Wording(
        r"\black(?:s|ing)?\b[^.\n]{0,30}\b(?:parameters?|arguments?|information|details)\b",
        "The question lacks details.",
    ),
    Wording(r"\bmissing (?:the )?(?:required|necessary)\b", "It is missing the required city."),
    Wording(r"\b(?:parameters?|arguments?|information) (?:is|are) missing\b", "Some parameters are missing."),
    Wording(
        r"\b(?:cannot|can ?not|can['’]t|unable to)\b(?: be)?(?: \w+)? (?:called|use|used|answered|made?|fulfilled)\b(?! (?:without|until|unless))",
        "This cannot be answered.",
    ),
)
"""No tool fits, or what it needs is not known."""

SUPPOSITIONS = (
    Wording(
        r"\b(?:would|could|might|can|may|should|please|you|called|considered|not|cannot|unable to|can['’]t|(?<=\()see)"
        r"(?: (?:then|also|now|simply|just|have|be))?"
        r"(?: (?:look|be|been|called|use|write|wrote|run|do|try|invoke|execute|send|return|say|type|need))?"
        r"(?: (?:it|this|that|something))?(?: like)?(?: this)?[\s:(`*]*\Z",
        "It might look like this:",
    ),
    Wording(r"\b(?:if|once|when|as soon as) you\b[^.!?\n]{0,80}[\s:(`*]*\Z", "As soon as you name a city, I run"),
    Wording(r"\b(?:result|output|response)s? (?:of|from)[\s:(`*]*\Z", "The result of"),
    Wording(
        r"\bI(?:['’]ve| have)?(?: already| just)? (?:checked|used|called|ran|asked|queried|looked|searched)\b[^.!?:\n]{0,40}[\s:(`*]*\Z",
        "I checked the weather with",
    ),
    Wording(r'^\s{0,8}File "[^"\n]{1,100}", line \d{1,7}[^\n]{0,40}\n\s{0,12}\Z', '  File "a.py", line 3, in f\n    '),
    Wording(r"^\s{0,8}(?://|#|>>> |\.\.\. |In \[\d+\]:|\$ |--).{0,80}\Z", ">>> print("),
)
"""Directly before what no format reads: it is only talked about, or a comment or a prompt of a shell."""

OFFERS = {
    "English": (
        r"\b(?:syntax|formats?|forms?|notation|template|(?:type|copy|paste|write|run) (?:this|the following))\b",
        "Type this",
    ),
    "French": (
        r"\b(?:exemples?|pourr\w+|si (?:vous|tu)|[ée]cri\w+|ressembl\w+|syntaxe)\b", "Vous pourriez dire"
    ),
    "German": (
        r"\b(?:beispiel\w*|könnt\w*|kannst|würde\w*|sähe|(?:wenn|falls) (?:du|sie|man)|so sieht)\b", "Das sähe anders aus"
    ),
    "Spanish": (
        r"\b(?:ejemplos?|podr[ií]\w+|puedes?|si (?:quier|prefier)\w+|escrib\w+|sintaxis|formato)\b", "Puedes usar"
    ),
    "Italian": (
        r"\b(?:esempi[oi]?|potre\w+|puoi|può|se (?:vuo|pref)\w+|scriv\w+|sintassi|formato)\b", "Puoi usare"
    ),
    "Portuguese": (
        r"\b(?:exemplos?|poderia\w*|podes?|pode[mr]?|se (?:quis|prefer)\w+|escrev\w+|formato)\b", "Pode usar"
    ),
    "Polish": (r"\b(?:przykład\w*|możesz|można|mógł\w*|jeśli|napisz\w*|składni\w*)\b", "Możesz to wysłać"),
    "Russian": (
        r"\b(?:пример\w*|например|можете|можно|если|напиш\w+|бы|формат\w*|синтаксис\w*)\b", "Можно так"
    ),
    "Chinese": ("例|比如|如果|(?<!我)可以|格式|语法|示范|这样写", "比如这样"),
    "Japanese": ("のよう|できます|場合|書式|形式|構文|れば", "この場合"),
    "Korean": ("예를|예시|예:|수 있|려면|형식|만약", "만약"),
}  # fmt: skip
"""Words of a line that says what can be written, by language, with an example; nobody announces a call by them."""
