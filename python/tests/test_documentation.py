"""What is printed for users runs."""

from __future__ import annotations

import doctest
import re

import pytest

import onlooker
from conftest import ROOT


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_the_examples_of_the_pages_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert examples
    for example in examples:
        exec(compile(example, page, "exec"), {})


def test_the_examples_of_the_package_run():
    assert doctest.testmod(onlooker).failed == 0


def test_everything_is_documented():
    def undocumented(thing, path):
        if not (getattr(thing, "__doc__", None) or "").strip():
            yield path

    missing = []
    for name in onlooker.__all__:
        thing = getattr(onlooker, name)
        if callable(thing):
            missing += undocumented(thing, name)
        if isinstance(thing, type) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(value):
                    missing += undocumented(value, f"{name}.{member}")
    assert missing == []
