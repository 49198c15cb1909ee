"""Words that the rules for facts know: who is family, what is a job, which tool does what, and what belongs to what."""

from __future__ import annotations

import re
from functools import cache

__all__ = [
    "CATEGORIES",
    "JOB",
    "MONTHS",
    "NATIONS",
    "PETS",
    "RELATIONS",
    "ROLES_OF_TOOLS",
    "SINGLE",
    "category",
    "tool",
]

RELATIONS = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée|fiancé|fiancee|fiance|son|daughter|kid|child|mother|mom|"
    "mum|father|dad|brother|sister|grandmother|grandma|grandfather|grandpa|grandson|granddaughter|uncle|aunt|cousin|"
    "niece|nephew|roommate|flatmate|housemate|neighbou?r|boss|manager|colleague|coworker|co-worker|teammate|mentor|"
    "therapist|doctor|dentist|lawyer|accountant|landlord|landlady|best friend|friend|buddy|twin|stepson|stepdaughter|"
    "stepmother|stepfather|mother-in-law|father-in-law|brother-in-law|sister-in-law|in-laws|parents|kids|children|"
    "sons|daughters|brothers|sisters|grandparents|ex|ex-wife|ex-husband|supervisor|advisor|adviser|coach|trainer|"
    "teacher|tutor|professor|client|assistant|tech lead|team lead|lead|agent|vet|pediatrician|nanny|babysitter|family"
)
PETS = "dog|cat|puppy|kitten|parrot|rabbit|bunny|hamster|horse|turtle|tortoise|bird|fish|snake|gecko|ferret|guinea pig"
SINGLE = (  # whom one has only one of
    "boss|manager|wife|husband|spouse|partner|girlfriend|boyfriend|fiancée|fiancé|fiancee|fiance|landlord|landlady|"
    "supervisor|therapist|dentist|doctor|gp|lawyer|accountant|tech lead|team lead|mentor|advisor|adviser|roommate|"
    "flatmate"
)
MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|"
    "sep|sept|oct|nov|dec"
)
JOB = (
    r"(?:(?!(?:fan|of|bit|lot|believer|lover|big|huge|good|great|terrible|little|member)\b)[\w/&-]+ )"
    r"{0,4}?(?:engineer|developer|designer|teacher|nurse|doctor|physician|surgeon|lawyer|attorney|"
    r"accountant|student|professor|lecturer|manager|director|analyst|scientist|writer|author|novelist|artist|musician|"
    r"painter|chef|cook|baker|plumber|electrician|carpenter|architect|pilot|driver|consultant|researcher|programmer|"
    r"freelancer|entrepreneur|founder|co-founder|cofounder|ceo|cto|cfo|coo|coach|trainer|producer|filmmaker|librarian|"
    r"mechanic|farmer|firefighter|paramedic|officer|soldier|veteran|intern|apprentice|contractor|realtor|barista|"
    r"bartender|waiter|waitress|cashier|clerk|secretary|technician|administrator|coordinator|editor|actor|actress|"
    r"singer|dancer|streamer|youtuber|blogger|counselor|counsellor|paralegal|beekeeper|gardener|tailor|sailor|"
    r"seamstress|postdoc|undergrad|undergraduate|sophomore|freshman|owner|recruiter|auditor|planner|copywriter|"
    r"translator|interpreter|educator|tutor|instructor|principal|specialist|sysadmin|admin|practitioner|worker|lead|"
    r"operator|supervisor|salesperson|salesman|broker|banker|trader|investor|resident|fellow|major|minister|pastor|"
    r"priest|judge|detective|guard|nanny|midwife|vet|therapist|dentist|pharmacist|economist|journalist|"
    r"(?!(?:scientolog|optim|pessim|perfection|real|minimal|ideal|femin|fatal|national|tour|rac|extrem|activ)ist\b)"
    r"[a-z]{3,}(?:ologist|ographer|ician|ist))"
)
NATIONS = (
    "american|british|english|scottish|welsh|irish|canadian|australian|french|german|spanish|portuguese|italian|dutch|"
    "belgian|swiss|austrian|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|swedish|"
    "norwegian|danish|finnish|icelandic|estonian|latvian|lithuanian|croatian|serbian|slovenian|bosnian|albanian|"
    "brazilian|mexican|argentinian|argentine|chilean|colombian|peruvian|venezuelan|cuban|indian|pakistani|bangladeshi|"
    "nepali|chinese|japanese|korean|vietnamese|thai|filipino|indonesian|malaysian|singaporean|taiwanese|israeli|"
    "lebanese|syrian|iranian|iraqi|egyptian|moroccan|tunisian|nigerian|kenyan|ghanaian|ethiopian|south african|"
    "new zealander|kiwi"
)

# What a known tool is, so that a later choice of another one of its kind takes its place.
ROLES_OF_TOOLS: dict[str, str] = {
    name: role
    for role, names in {
        "database": "postgresql postgres mysql mariadb sqlite mongodb mongo dynamodb cassandra cockroachdb redshift "
        "bigquery snowflake duckdb firestore supabase neo4j clickhouse timescaledb oracle",
        "cache": "redis memcached valkey",
        "queue": "rabbitmq kafka sqs celery nats pulsar",
        "web framework": "django flask fastapi rails laravel express nestjs spring phoenix gin",
        "frontend framework": "react vue svelte angular nextjs next.js nuxt solidjs htmx",
        "programming language": (
            "python typescript javascript rust golang kotlin swift ruby elixir scala java php c++ c#"
        ),
        "cloud": "aws azure gcp heroku vercel netlify digitalocean hetzner cloudflare",
        "package manager": "npm pnpm yarn poetry pip uv bun conda",
        "test framework": "pytest jest vitest mocha cypress playwright unittest",
        "ci": "jenkins circleci gitlab-ci travis buildkite teamcity",
        "payments": "stripe paypal braintree adyen",
        "styling": "tailwind bootstrap bulma",
        "orchestration": "kubernetes k8s nomad",
        "infrastructure": "terraform pulumi ansible",
        "search engine": "elasticsearch opensearch meilisearch typesense algolia",
        "editor": "vim neovim emacs vscode pycharm intellij",
        "operating system": "linux ubuntu windows macos debian fedora",
        "version control": "git mercurial perforce",
        "chat": "slack discord teams mattermost",
        "issue tracker": "jira linear trello asana",
        "monitoring": "grafana prometheus datadog sentry",
        "design tool": "figma sketch",
        "runtime": "node node.js nodejs deno",
    }.items()
    for name in names.split()
}
_SAME = {"postgres": "PostgreSQL", "mongo": "MongoDB", "golang": "Go", "k8s": "Kubernetes", "nextjs": "Next.js"}

CATEGORIES: dict[str, str] = {
    "style": "answer answers reply replies respond response responses tone emoji emojis bullet bullets format concise "
    "verbose explanation explanations summary summaries citations sources markdown",
    "health": "allergic allergy intolerant intolerance diabetes diabetic asthma medication doctor hospital surgery "
    "diagnosed therapy pregnant blood vegan-health disease illness migraine migraines insulin injury anxiety "
    "depression adhd autism dose pill pills health medical symptoms weight sleep celiac coeliac",
    "food": "eat eats vegan vegetarian pescatarian diet food tea coffee meat cook cooking recipe recipes restaurant "
    "spicy gluten dairy lactose fish sushi pizza chocolate breakfast dinner lunch drink wine beer kosher halal dish "
    "dishes bake baking cheese fruit vegetables dessert",
    "finance": "budget salary rent mortgage invest investment savings save saving debt loan price cost costs pay tax "
    "taxes bank money income retirement insurance payment € $ £ stock stocks portfolio",
    "travel": "travel trip flight fly flights hotel vacation holiday airport passport visa seat seats airline "
    "train trains cruise abroad luggage",
    "family": "wife husband son daughter kid kids child children mother mom mum father dad brother sister parents "
    "married divorced engaged wedding family grandmother grandfather baby niece nephew cousin aunt uncle fiancé "
    "fiancée grandma grandpa",
    "technology": "database server api deploy deployment code software app python javascript typescript java linux "
    "framework library libraries git branch release version docker kubernetes aws cloud backend frontend postgres "
    "postgresql mysql redis test tests ci staging production endpoint laptop computer phone website repo repository "
    "dark theme mode tokens model models gpu cpu ram port schema migration dependencies merge",
    "schedule": "deadline meeting meetings appointment monday tuesday wednesday thursday friday saturday sunday weekly "
    "daily schedule calendar due exam interview standup sprint timezone launch",
    "work": "work works job company team boss manager colleague client clients office employer project career startup "
    "business engineer developer teacher nurse lawyer degree university college study graduated school student "
    "phd thesis customers",
    "home": "live lives living house home apartment flat city town moved neighbourhood neighborhood garden landlord "
    "bedroom dog cat puppy kitten pet pets",
    "people": "friend friends neighbor neighbour roommate mentor ceo cto lead partner",
}
_BY_WORD = {word: name for name, words in reversed(CATEGORIES.items()) for word in words.split()}


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"[$€£]|[^\W_]+")


def category(text: str) -> str:
    """The topic that most words of a text belong to; of several, the one that is mentioned first."""
    counts: dict[str, int] = {}
    for word in _words().findall(text.lower()):
        if name := _BY_WORD.get(word):
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=counts.__getitem__) if counts else "other"


def tool(value: str) -> tuple[str, str] | None:
    """What kind of tool the value names, and its usual name: "Postgres 15" is a database, "PostgreSQL 15"."""
    first, _, rest = value.partition(" ")
    role = ROLES_OF_TOOLS.get(first.lower().strip(",."))
    if role is None:
        return None
    name = _SAME.get(first.lower(), first)
    version = rest if rest[:1].isdigit() else ""
    return role, f"{name} {version}".strip()
