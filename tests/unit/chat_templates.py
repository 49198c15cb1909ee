"""Chat templates that behave as those published with families of models, strict ones included: what a runtime renders
messages by, and refuses them by. Written anew, as short as their rules allow."""

from __future__ import annotations

from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

CALLS = """
{%- if message.tool_calls %}{% for call in message.tool_calls %}
<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments }}}</tool_call>
{%- endfor %}{% endif %}"""

# Any roles in any order; each message between marks.
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content or '' }}"
    + CALLS
    + "<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)

# The system within the first user's instruction; user and assistant in turn, and nothing else.
LLAMA_2 = """
{%- if messages[0].role == "system" %}{% set said = messages[1:] %}{% set system = messages[0].content %}
{%- else %}{% set said = messages %}{% set system = none %}{% endif %}
{%- for message in said %}
{%- if (message.role == "user") != (loop.index0 % 2 == 0) %}
{{- raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") }}{% endif %}
{%- set content = message.content %}
{%- if loop.first and system %}{% set content = "<<SYS>>\\n" + system + "\\n<</SYS>>\\n\\n" + content %}{% endif %}
{%- if message.role == "user" %}<s>[INST] {{ content.strip() }} [/INST]
{%- elif message.role == "assistant" %} {{ content.strip() }} </s>{% endif %}
{%- endfor %}"""

# Header and end for each message; one call of a tool at a time.
LLAMA_3 = """
{%- for message in messages %}
{%- if not (message.role in ["ipython", "tool"] or message.tool_calls) %}
{{- "<|start_header_id|>" + message.role + "<|end_header_id|>\\n\\n" + message.content | trim + "<|eot_id|>" }}
{%- elif message.tool_calls %}
{%- if message.tool_calls | length != 1 %}
{{- raise_exception("This model only supports single tool-calls at once!") }}{% endif %}
{{- "<|start_header_id|>assistant<|end_header_id|>\\n\\n" + message.tool_calls[0].function.name + "<|eot_id|>" }}
{%- else %}{{ "<|start_header_id|>ipython<|end_header_id|>\\n\\n" + message.content + "<|eot_id|>" }}{% endif %}
{%- endfor %}<|start_header_id|>assistant<|end_header_id|>"""

# The system first and nowhere else; apart from tools, user and assistant in turn; ids of calls have nine characters.
MISTRAL = """
{%- if messages[0].role == "system" %}{% set said = messages[1:] %}{% set system = messages[0].content %}
{%- else %}{% set said = messages %}{% set system = none %}{% endif %}
{%- set turn = namespace(index=0) %}
{%- for message in said %}
{%- if not (message.role == "tool" or (message.tool_calls is defined and message.tool_calls is not none)) %}
{%- if (message.role == "user") != (turn.index % 2 == 0) %}
{{- raise_exception("After the optional system message, conversation roles must alternate user/assistant") }}{% endif %}
{%- set turn.index = turn.index + 1 %}{% endif %}
{%- endfor %}
{%- for message in said %}
{%- if message.role == "user" %}[INST] {{ system + "\\n\\n" if loop.last and system }}{{ message.content }}[/INST]
{%- elif message.tool_calls is defined and message.tool_calls is not none %}[TOOL_CALLS]
{%- for call in message.tool_calls %}
{%- if call.id is not defined or call.id | length != 9 %}
{{- raise_exception("Tool call IDs should be alphanumeric strings with length 9!") }}{% endif %}{{ call.function.name }}
{%- endfor %}
{%- elif message.role == "assistant" %} {{ message.content | trim }}</s>
{%- elif message.role == "tool" %}
{%- if message.tool_call_id is not defined or message.tool_call_id | length != 9 %}
{{- raise_exception("Tool call IDs should be alphanumeric strings with length 9!") }}{% endif %}
{{- "[TOOL_RESULTS]" + message.content + "[/TOOL_RESULTS]" }}
{%- else %}{{ raise_exception("Only user and assistant roles are supported") }}{% endif %}
{%- endfor %}"""

# Gemma 3: the system before the first user's words; then user and model in turn.
GEMMA_3 = """
{%- if messages[0].role == "system" %}{% set said = messages[1:] %}{% set first = messages[0].content + "\\n\\n" %}
{%- else %}{% set said = messages %}{% set first = "" %}{% endif %}
{%- for message in said %}
{%- if (message.role == "user") != (loop.index0 % 2 == 0) %}
{{- raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") }}{% endif %}
<start_of_turn>{{ "model" if message.role == "assistant" else message.role }}
{{ first if loop.first else "" }}{{ message.content | trim }}<end_of_turn>
{%- endfor %}
<start_of_turn>model"""

# Phi 3: every role has a mark of its own.
PHI = """
{%- for message in messages %}
{%- if message.role in ("system", "user", "assistant") %}<|{{ message.role }}|>
{{ message.content }}<|end|>
{%- else %}{{ raise_exception("Only system, user and assistant roles are supported") }}{% endif %}
{%- endfor %}<|assistant|>"""

TEMPLATES = {
    "chatml": CHATML,
    "llama 2": LLAMA_2,
    "llama 3": LLAMA_3,
    "mistral": MISTRAL,
    "gemma 3": GEMMA_3,
    "phi": PHI,
}
WITH_TOOLS = ("chatml", "llama 3", "mistral")


def rendered(template: str, messages: list[dict[str, Any]]) -> str:
    """The prompt as a runtime would put it to the model; raises TemplateError where it would refuse."""

    def refuse(reason: str) -> NoReturn:
        raise TemplateError(reason)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    return environment.from_string(TEMPLATES[template]).render(messages=messages, bos_token="", eos_token="")
