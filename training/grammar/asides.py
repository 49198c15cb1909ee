"""Sentences that go on about a fact without adding to it, by mood, so that turns get long. Data only."""

from __future__ import annotations

__all__ = ["ASIDES", "ECHOES"]

ASIDES = {
    "+": """
I still can't quite believe it, to be honest, I keep pinching myself every morning.
It took a lot of work and a lot of patience, but it has been worth every minute of it.
Everyone around me has been so supportive, and that makes all the difference.
I wanted you to be one of the first to know, so keep it to yourself for a few days.
We celebrated a little at home with cake and far too much tea, nothing big.
I've been smiling like an idiot ever since, my face actually hurts.
After the year I've had, it feels like things are finally falling into place.
My mother cried when I told her, and then of course I had to cry as well.
I know it's only the beginning, but it feels like a real step for me.
I'd almost given up hoping, so it came as a complete surprise.
""",
    "-": """
I'm trying to stay positive, but some days are harder than others, you know how it is.
I didn't want to bother anybody with it, but it does help to talk.
It all happened so fast that I haven't really had time to think about it.
My friends have been great about it, bringing food and checking in on me.
I keep telling myself it could have been worse, which doesn't help much.
It's been on my mind all week, and I can't really concentrate on anything else.
I suppose these things happen, but the timing couldn't have been worse.
I've been taking long walks to clear my head, and that helps a little.
Please don't worry about me, I'll get through it one way or another.
""",
    ".": """
I don't think I've ever told you the whole story, it's a bit complicated.
It's nothing spectacular, I know, but it makes my everyday life a little nicer.
People are always surprised when I say that, and I never really understand why.
I was talking about it with some people at lunch the other day, and they all had opinions.
You know me, I can never do things by halves once I've got an idea into my head.
Sometimes I wonder what my younger self would have thought about that.
I could go on about it for hours, so stop me if I get boring.
It wasn't exactly planned like that, it just sort of happened over time.
I read an article about that sort of thing recently, and I felt rather caught out.
My family thinks I'm a bit mad, but they've got used to it by now.
I used to think differently about these things, but you change as you get older.
There's a lot more to say about it, but I'll tell you when we meet in person.
Not everyone's cup of tea, I suppose, but it suits me very well.
I've been meaning to mention it for a while, it just never came up.
Remind me to show you some pictures next time, there are some really funny ones.
I'm not saying it's perfect, but I can't complain, and it could be a lot worse.
""",
}

ECHOES = {
    "+": """
Wow, that's such good news! You've really earned it, I'm so pleased for you.
Oh that's fantastic! I remember how much you were hoping for something like that.
That sounds wonderful, you must be over the moon. We have to raise a glass to that soon!
I'm grinning from ear to ear reading this. Tell me everything when we see each other.
How lovely! It's about time something nice happened, after all the grey weeks.
""",
    "-": """
Oh no, that sounds really tough. If there's anything at all that I can do, just say the word.
I'm so sorry, I wish I could be there and make you a cup of tea.
That's such bad luck. Be kind to yourself, and don't rush things.
Ugh, what a nightmare. I hope you've got people around you who are looking after you.
Oh dear, I had no idea. Do you want to talk about it, or would you rather have some distraction?
""",
    ".": """
That's interesting, I've never really thought about it like that. How did it come about?
Ha, that's so you. I could have guessed it, and yet somehow I'm still surprised.
I see what you mean. I think I'd be the same in your place, to be honest.
Oh, I always wanted to ask you about that. It's nice to hear how things are going.
It's funny how little we know about each other's everyday lives, isn't it?
Cool, I like hearing these things. My own week has been rather boring in comparison.
That makes sense, actually. I was wondering about it the last time we talked.
""",
}
