"""Secrets are told from talk about them: precisely, in linear time."""

from __future__ import annotations

import time

import pytest

from onrecord.policy.secrets import MASK, asked_kinds, masked, redacted, secrets, without_secrets

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq9\nx0Zk4Vd8\n-----END RSA PRIVATE KEY-----"

# A text, and the secret in it.
TOLD = [
    # what issuers mark
    ("Use sk-proj-Ab3dEf6hIj9kLm2nOp5q for it.", "sk-proj-Ab3dEf6hIj9kLm2nOp5q"),
    ("export OPENAI_API_KEY=sk-4f9a8b7c6d5e4f3a2b1c", "sk-4f9a8b7c6d5e4f3a2b1c"),
    ("sk-ant-api03-Zx81kQpLm0_9vB2nC4rT", "sk-ant-api03-Zx81kQpLm0_9vB2nC4rT"),
    ("The Stripe one: sk_live_51H8xYzAbCdEfGh", "sk_live_51H8xYzAbCdEfGh"),
    ("rk_live_9aB8cD7eF6gH5iJ4", "rk_live_9aB8cD7eF6gH5iJ4"),
    ("whsec_7Jk2LmN0pQrS4tUvWxYz", "whsec_7Jk2LmN0pQrS4tUvWxYz"),
    ("my GitHub token is ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("github_pat_11ABCDE0Y0abcdefghijk_LMNOPQRSTUV", "github_pat_11ABCDE0Y0abcdefghijk_LMNOPQRSTUV"),
    ("glpat-Xy12zAbC34dEfG56hIjK", "glpat-Xy12zAbC34dEfG56hIjK"),
    ("the access key ID is AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("ASIAY34FZKBOKMUTVV7A expires in an hour", "ASIAY34FZKBOKMUTVV7A"),
    ("xoxb-123456789012-abcDEF456ghi", "xoxb-123456789012-abcDEF456ghi"),
    ("AIzaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tUvW", "AIzaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tUvW"),
    ("npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
    ("hf_QwErTyUiOpAsDfGhJkLzXcVbNm", "hf_QwErTyUiOpAsDfGhJkLzXcVbNm"),
    ("SG.aB3dE5fG7hJ9kL1mN3pQ.xY2zA4bC6dE8fG0hI2jK4", "SG.aB3dE5fG7hJ9kL1mN3pQ.xY2zA4bC6dE8fG0hI2jK4"),
    (
        "Cookie: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN",
    ),
    (PEM, "MIIEpAIBAAKCAQEA7bq9\nx0Zk4Vd8\n"),
    ("-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXk"),
    ("postgres://app:Tr0ub4dor@db.local:5432/shop", "Tr0ub4dor"),
    ("git clone https://ana:q9Zx77vv@git.example.org/a.git", "q9Zx77vv"),
    ("hooks.slack.com/services/T0AB12CD3/B0EF45GH6/x9Y8z7W6", "hooks.slack.com/services/T0AB12CD3/B0EF45GH6/x9Y8z7W6"),
    # check digits
    ("My Visa is 4111 1111 1111 1111, exp 09/27", "4111 1111 1111 1111"),
    ("pay with 4242424242424242", "4242424242424242"),
    ("card: 5555-5555-5555-4444", "5555-5555-5555-4444"),
    ("the Amex 3782 822463 10005", "3782 822463 10005"),
    ("378282246310005 is the Amex", "378282246310005"),
    ("6011000990139424", "6011000990139424"),
    ("IBAN DE89 3704 0044 0532 0130 00, please", "DE89 3704 0044 0532 0130 00"),
    ("Send it to GB29NWBK60161331926819.", "GB29NWBK60161331926819"),
    ("FR14 2004 1010 0505 0001 3M02 606", "FR14 2004 1010 0505 0001 3M02 606"),
    ("NL91ABNA0417164300 IS MINE", "NL91ABNA0417164300"),
    ("My IBAN is CH93 0076 2011 6238 5295 7", "CH93 0076 2011 6238 5295 7"),
    # called so
    ("my wifi password is hunter2-blue", "hunter2-blue"),
    ("My password is hunter2.", "hunter2"),
    ("The wifi password is swordfish.", "swordfish"),
    ("password: hunter2", "hunter2"),
    ("Password: Blue$ky77!", "Blue$ky77"),
    ("the password for the router is Blue$ky77", "Blue$ky77"),
    ("password for netflix: xyz12345", "xyz12345"),
    ("My Netflix password is now Popcorn!2024, remember it.", "Popcorn!2024"),
    ('Our shared password is "correct horse battery"', "correct horse battery"),
    ("I changed my bank password to Kx9!mmq2", "Kx9!mmq2"),
    ("log in as bob with password Adm1n!2020", "Adm1n!2020"),
    ("user: bob pass: s3cr3tPw", "s3cr3tPw"),
    ('"password": "p4ssw0rd!"', "p4ssw0rd!"),
    ("DB_PASSWORD=kJ8#mn2p", "kJ8#mn2p"),
    ("pwd = Winter2025", "Winter2025"),
    ("hunter2-blue is my wifi password", "hunter2-blue"),
    ("the API key is 7f3a9c2e5b8d1f4a", "7f3a9c2e5b8d1f4a"),
    ("api_key: 'a8F3kd92LmQ0'", "a8F3kd92LmQ0"),
    ("Here is my API key for Stripe: 51Hx9Yz3kLm", "51Hx9Yz3kLm"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYKEY9", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYKEY9"),
    ("Authorization: Bearer a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"),
    ("client secret: Gx7~pQ2.wE9rT4yU", "Gx7~pQ2.wE9rT4yU"),
    ("the access token is 9b1deb4d3b7d4bad9bdd2b0d", "9b1deb4d3b7d4bad9bdd2b0d"),
    ("license key: 4XPB2-9KQ7D-M3TVN", "4XPB2-9KQ7D-M3TVN"),
    ("My passphrase is correct horse battery staple", "correct horse battery staple"),
    (
        "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
    ),
    ("my card PIN is 4417", "4417"),
    ("The pin is 90210417.", "90210417"),
    ("CVV: 123", "123"),
    ("PIN: 4417", "4417"),
    ("the wifi pw is blue-horse-42", "blue-horse-42"),
    ("My wifi password's hunter2-blue", "hunter2-blue"),
    ("The password to my laptop is Tiger#12", "Tiger#12"),
    ("the password I use for Netflix is Popcorn99", "Popcorn99"),
    ("my bank password: correcthorse.", "correcthorse"),
    ("Our guest password is my-dog-rex7.", "my-dog-rex7"),
    ("DB_PWD=Sup3rS3cret", "Sup3rS3cret"),
    ("AccountKey=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"),
    ("Here's my OpenAI key: sk-abc123def456ghi789jkl012", "sk-abc123def456ghi789jkl012"),
    ("my account number is 12345678", "12345678"),
    ("The alarm code is 1234.", "1234"),
    ("the safe combination: 12-34-56", "12-34-56"),
    ("Mein WLAN-Passwort ist hunter2-blau", "hunter2-blau"),
    ("mi contraseña es Gato1234", "Gato1234"),
    ("wifi密码是abc12345", "abc12345"),
    ("La contraseña del wifi es Girasol-77", "Girasol-77"),
    ("Mi clave del wifi es Casa-9921", "Casa-9921"),
    ("Le mot de passe du wifi est Tournesol44", "Tournesol44"),
    ("La clé du wifi est Mer-2210", "Mer-2210"),
    ("La password del wifi è Sole-2210", "Sole-2210"),
    ("A senha do wifi é Praia2210", "Praia2210"),
    ("Das WLAN-Passwort lautet sonnenblume.", "sonnenblume"),
    ("Das Passwort vom Laptop ist Tiger#12", "Tiger#12"),
    ("Unser WLAN-Schlüssel lautet 48213377905512345678", "48213377905512345678"),
    ("Our wifi key is Kranich!Moor-7731.", "Kranich!Moor-7731"),
    ("the wifi code is X9-22-kl", "X9-22-kl"),
    ("WPA2 key: 12345678901234567890", "12345678901234567890"),
    ("login: admin / s3cretPass!", "s3cretPass!"),
    ("credentials: ana@example.org/Blau77!x.", "Blau77!x"),
]

NOT_TOLD = [
    # talk about secrets
    "the password policy says at least 12 characters",
    "I forgot my password",
    "My password is too short.",
    "the password is incorrect",
    "My password is expired, can you help?",
    "password must contain 8-20 characters and one digit",
    "The password is case-sensitive.",
    "What is my wifi password?",
    "Which API key did I give you for Stripe?",
    "How do I rotate an API key every 90days?",
    "the API key is missing",
    "Never commit an API key to git.",
    "The token is expired.",
    "max_tokens: 4096",
    "The prompt takes 2048 tokens",
    "a password manager such as 1Password is fine",
    "password reset link sent 5 minutes ago",
    "password: string",
    "password: <your password>",
    "password=********",
    "password = os.environ['DB_PASSWORD']",
    "api_key=YOUR_API_KEY",
    "api_key = settings.api_key2",
    "api_key: ${OPENAI_API_KEY}",
    "token = jwt.encode(payload, key256)",
    "self.password_hash = hash_password(password)",
    "The password is stored with bcrypt12.",
    "The key is patience.",
    "The secret is butter, lots of it.",
    "The key point is 3 of 4 tests fail",
    "private key in ~/.ssh/id_ed25519",
    "sk-learn-is-a-library-for-statistics",
    "sk-...abcd",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Bearer of good news, 2 of them",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
    "http://localhost:8000/users/@me",
    "postgres://user:password@localhost/db",
    "mailto:ana@example.com",
    "We need to pin numpy to 1.26",
    "Connect the GPIO pin to 3.3V",
    "my passport is blue",
    "my passphrase is way too long to type on a phone",
    "I passed my exam with 87%",
    "The password is the name of my dog",
    "The password was Anna's idea",
    "the passcode is four digits",
    "My password is cool.",
    'password: "{{ vault_password }}"',
    "'password' => 'required|min:8'",
    "if password == user_password2:",
    "my_token: Annotated[str, Depends(get_token2)]",
    "run pwd in /home/ana2",
    "PIN: 560001",
    "Our keynote is on 12 May at 10:30",
    "Das WLAN-Passwort ist falsch.",
    "Das Passwort lautet anders.",
    "La contraseña del wifi es incorrecta.",
    "La clave es la paciencia",
    "WPA2 key management is broken",
    "The wifi code is 2000 lines long",
    "Our network key metrics: p95",
    "login: auth/v2/login2",
    "Login: pages/login2.html",
    "login: 12/05/2026",
    "Ela desenha: gato2024",
    # numbers
    "Order number 4111111111111111 has shipped",
    "my order is 4929 3813 3266 4294",
    "tracking: 9400111899223197428490",
    "The number is 4111 1111 1111 1112",
    "1234 5678 9012 3456",
    "Call me at +49 151 23456789",
    "my phone number is 555-867-5309",
    "IMEI 490154203237518",
    "ISBN 978-3-16-148410-0",
    "9783161484100",
    "commit 9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d1a2b3c4d",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "md5 5f4dcc3b5aa765d61d8327deb882cf99",
    "123e4567-e89b-12d3-a456-426614174000",
    "session 0192f3a4-7c1d-7e2b-9f00-1234567890ab",
    "aGVsbG8gd29ybGQ=",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
    "DE89 3704 0044 0532 0130 01",
    "AB12 CDEF 3456 GHIJ 7890",
    "timestamp 1767225600000",
    "3.141592653589793",
    "2026-05-03T10:22:11Z INFO worker-3 request 8812 took 31 ms",
    "The door code is 4417.",
    "the discount code is SAVE20",
    "my account is locked since 2024",
    "the pin code is 560001",
    "my username is ana_1990",
    "version 1.2.3-rc4+build5678",
    "192.168.178.21 and fe80::1ff:fe23:4567:890a",
]


@pytest.mark.parametrize(("text", "secret"), TOLD, ids=range(len(TOLD)))
def test_a_secret_is_found(text: str, secret: str) -> None:
    assert [text[found.start : found.end] for found in secrets(text)] == [secret]
    assert secret not in masked(text)
    assert secret not in redacted(text)
    assert secret not in without_secrets(f"Fine. {text} Fine.")


@pytest.mark.parametrize("text", NOT_TOLD)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert secrets(text) == []
    assert masked(text) == redacted(text) == without_secrets(text) == text


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What was my wifi password?", {"password"}),
        ("what's the router's password again", {"password"}),
        ("Which API key did I give you for Stripe?", {"key"}),
        ("Remind me of the card PIN", {"password"}),
        ("Do you have my GitHub token?", {"key"}),
        ("I forgot my Netflix login.", {"password"}),
        ("What are our database credentials?", {"key", "password"}),
        ("What is my credit card number?", {"card"}),
        ("Give me my IBAN", {"account"}),
        ("what's my bank account number?", {"account"}),
        ("Wie lautet mein WLAN-Passwort?", {"password"}),
        ("Write a haiku.", set()),
        ("Good morning!", set()),
        ("What is a strong password?", set()),
        ("What does our password policy say?", set()),
        ("Which password manager do I use?", set()),
        ("What key lessons did I learn in Lisbon?", set()),
        ("What are the key points?", set()),
        ("Which card games do I like?", set()),
        ("How many tokens does a page take?", set()),
        ("Where did I go on my birthday?", set()),
        ("What was our Stripe key?", {"key"}),
        ("What was the Stripe key again?", {"key"}),
        ("give me the token", {"key"}),
        ("Stripe API key?", {"key"}),
        ("Which key is this song in?", set()),
        ("Which key on the piano is C?", set()),
        ("Can you find the primary key of ledger_entries?", set()),
        ("Which tokens did the model send to the embeddings endpoint?", set()),
        ("I can't find my keys.", set()),
        ("Who has my spare house key?", set()),
        ("Patience in my opinion is key.", set()),
        ("Give me the key to the map", set()),
        ("Show me the next token", set()),
        ("What is an API key?", set()),
        ("What's the network/wifi key for the router?", {"password"}),
        ("Wie lautet unser WLAN-Schlüssel?", {"password"}),
        ("Wie lautet das WLAN-Passwort?", {"password"}),
        ("WLAN-Passwort?", {"password"}),
        ("¿Cuál es la contraseña del wifi?", {"password"}),
        ("¿Cuál es la clave del wifi?", {"password"}),
        ("Quel est le mot de passe du wifi ?", {"password"}),
        ("qual è la password del wifi?", {"password"}),
        ("Qual é a senha do wifi?", {"password"}),
        ("那个wifi密码是什么?", {"password"}),
        ("Gib mir das WLAN-Passwort", {"password"}),
        ("Dammi la password del wifi", {"password"}),
        ("What's my wifi pass?", {"password"}),
        ("wifi password?", {"password"}),
        ("password for the router", {"password"}),
        ("Write a haiku about passwords", set()),
        ("What makes a strong password?", set()),
        ("What is our password policy?", set()),
        ("Quelle est la politique de mot de passe ?", set()),
        ("¿Cuál es la clave del éxito?", set()),
        ("Wie ist ein gutes Passwort?", set()),
        ("Reset password", set()),
        ("Login page", set()),
    ],
)
def test_a_question_asks_for_kinds_of_secrets(question: str, kinds: set[str]) -> None:
    assert asked_kinds(question) == kinds


@pytest.mark.parametrize(
    ("secret", "shown"), [("hunter2-blue", "hun••••"), ("s3cret", "s3••••"), ("4417", "4••••"), ("Kx9!mmq2", "Kx••••")]
)
def test_a_short_secret_shows_less_of_itself(secret: str, shown: str) -> None:
    assert masked(f"my card PIN is {secret}" if secret.isdigit() else f"password: {secret}").endswith(shown)


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "apiKey",
        "password",
        "DB_PASSWORD",
        "accessToken",
        "client_secret",
        "pin",
        "api_keys",
        "Authorization",
        "dbPwd",
    ],
)
def test_what_stands_under_the_name_of_a_secret_is_masked_whole(name: str) -> None:
    assert masked("plain words", name) == f"pla{MASK}"


@pytest.mark.parametrize("name", ["", "key", "tokens", "max_tokens", "password_policy", "spin", "author", "session"])
def test_other_names_mask_nothing(name: str) -> None:
    assert masked("plain words", name) == "plain words"


def test_only_the_sentence_with_a_secret_goes() -> None:
    text = f"I live in Porto. The password is hunter2, Ana.\nI like tea! My key:\n{PEM}\nBye."
    assert without_secrets(text).startswith("I live in Porto. I like tea! My key:\n")
    assert without_secrets(text).endswith("\nBye.")


HOSTILE = """a| |1|4111 |sk-|sk-a |password |password: |password for |my |pin |my pin |://a:|://|-----BEGIN |DE89|
A1B2|eyJa.|a.|-----BEGIN PRIVATE KEY----- |seed phrase is |passphrase: ab cd |is my |x is my password |"'|password (|
token=|the card |account number 1 |what is |my a |remind pass|1 2 3 |3782 822463 |bearer |api key is a1|-|
wifi key |login: a/|clave del wifi |give the """


@pytest.mark.parametrize(
    "value", ["my" + "_a" * 99, "a." * 99, "a_" * 99, "-" * 199, "a@" * 99, "1-" * 99, "aed" * 66, "(" * 199, "~/" * 99]
)
def test_a_value_is_judged_at_once(value: str) -> None:
    began = time.process_time()
    secrets(f"password: {value}")
    assert time.process_time() - began < 1


@pytest.mark.parametrize("part", HOSTILE.split("|"))
def test_a_megabyte_of_anything_is_read_in_linear_time(part: str) -> None:
    text = part * (1_000_000 // len(part)) + " pin pass key"
    began = time.process_time()
    without_secrets(text)
    asked_kinds(text)
    assert time.process_time() - began < 20  # on a busy machine; with the square of its length it would take hours
