"""Names that every language can use as they are: no field of ours is a keyword of one of the six."""

from __future__ import annotations

import keyword

from tests.support.descriptors import enums, fields, messages

# Words that are reserved, or kept for the future, or that authors would trip over.
KEYWORDS = """
TypeScript: abstract arguments as async await break case catch class const constructor continue debugger declare default
    delete do else enum eval export extends false finally for function if implements import in instanceof interface let
    module namespace new null package private protected public readonly return static super switch this throw true try
    type typeof var void while with yield
Go: break case chan const continue default defer else fallthrough for func go goto if import interface map package range
    return select struct switch type var
Rust: abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if
    impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type
    typeof union unsafe unsized use virtual where while yield
Java: abstract assert boolean break byte case catch char class const continue default do double else enum extends false
    final finally float for goto if implements import instanceof int interface long native new null package private
    protected public return short static strictfp super switch synchronized this throw throws transient true try var
    void volatile while yield
C++: alignas alignof and asm auto bool break case catch char class compl concept const consteval constexpr constinit
    continue decltype default delete do double else enum explicit export extern false final float for friend goto if
    import inline int long module mutable namespace new noexcept not nullptr operator or override private protected
    public register requires return short signed sizeof static struct switch template this throw true try typedef typeid
    typename union unsigned using virtual void volatile while xor
"""


def keywords() -> dict[str, set[str]]:
    found = {"Python": {*keyword.kwlist, *keyword.softkwlist}}
    for paragraph in KEYWORDS.strip().replace("\n    ", " ").split("\n"):
        language, _, words = paragraph.partition(": ")
        found[language] = set(words.split())
    return found


def test_no_field_or_oneof_is_a_keyword_of_any_language() -> None:
    names = {field.full_name: field.name for field in fields()}
    names |= {oneof.full_name: oneof.name for message in messages() for oneof in message.oneofs}
    clashes = {
        f"{where} is a keyword of {language}"
        for where, name in names.items()
        for language, words in keywords().items()
        if name in words
    }
    assert not clashes


def test_the_zero_of_every_enum_says_that_nothing_is_specified() -> None:
    zeros = {enum.full_name: enum.values_by_number[0].name for enum in enums()}
    assert {name for name, zero in zeros.items() if not zero.endswith("_UNSPECIFIED")} == set()
