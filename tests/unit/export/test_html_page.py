from __future__ import annotations

from html.parser import HTMLParser

from workbench.export.html_page import Markup, escape, own_words, page, table, tag


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def read(text: str) -> Reader:
    found = Reader()
    found.feed(text)
    return found


def test_foreign_text_is_never_markup() -> None:
    nasty = '</pre><script>alert("1")</script><img src=x onerror=y>&amp;'
    found = read(page(nasty, tag("pre", nasty, id=nasty)))
    assert "script" not in found.tags
    assert "img" not in found.tags
    assert found.text.count(nasty) == 2
    assert tag("a", "x", href='"><b>') == '<a href="&quot;&gt;&lt;b&gt;">x</a>'


def test_unseen_characters_stand_as_their_numbers() -> None:
    assert escape("a\x00\u202e\ud800\tb\n") == "a‹0000›‹202E›‹D800›\tb\n"
    assert own_words("x") == "<bdi>x</bdi>"


def test_markup_is_escaped_once() -> None:
    assert tag("p", Markup("<b>1</b>"), " < 2") == "<p><b>1</b> &lt; 2</p>"


def test_table_marks_numbers() -> None:
    text = table(("case", "n"), [("a", 1)], right=[1])
    assert '<th class="right">n</th>' in text
    assert '<td>a</td><td class="right">1</td>' in text


def test_page_loads_nothing() -> None:
    text = page("t", tag("p", "x"))
    assert "default-src 'none'" in text
    assert not {"script", "link", "img", "iframe"} & set(read(text).tags)
    assert "url(" not in text
    assert "@import" not in text
