"""What can go wrong between a program and the controllers.

Docs: ``crates/component/wit/controllers.wit``, "Errors". What goes wrong in the cluster is an
outcome of a plan, not an error.
"""

from __future__ import annotations


class JobsmithError(Exception):
    """The base class of all errors of this package."""


class ConfigError(JobsmithError, ValueError):
    """The component refuses its configuration; nothing has changed."""


class Malformed(JobsmithError, ValueError):
    """An object that is not JSON, or has a field of another type than the API gives it.

    What was known of the object stays as it was. All other objects of the same list are taken in.
    """

    def __init__(self, kind: str, name: str, reason: str) -> None:
        super().__init__(kind, name, reason)
        self.kind = kind
        self.name = name
        """``namespace/name`` if they can be read; otherwise empty."""
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.kind} {self.name or '(without a name)'} is malformed: {self.reason}"


class NoExplanation(JobsmithError, LookupError):
    """No controller knows the object, or something is not listed yet; the message says which."""


class Lost(JobsmithError):
    """The instance trapped and its memory is gone: call ``restart()`` and list everything again."""


class UsageError(JobsmithError):
    """The program calls the controllers in a way that cannot be right; nothing has changed."""


class IncompatibleComponent(JobsmithError):
    """The file is not a component, or it exports another interface than this package drives."""
