"""What people say between facts: greetings, small talk, replies, prompts. Data only."""

from __future__ import annotations

__all__ = [
    "ACKS",
    "ASKS",
    "BRIDGES",
    "BYES",
    "GREETS",
    "JOINTS",
    "LEADINS",
    "PROMPTS",
    "REPLIES",
    "REQUESTS",
    "SMALL",
    "TAILS",
    "USER_SMALL",
]

GREETS = """
Hey! How's it going? // Not bad, you?
Hi {M}! Long time no see. // I know, it's been forever!
Good morning! // Morning! How are you?
Hey stranger // Hey you! What's new?
Hi, are you free to chat? // Sure, I've got a bit of time.
Evening! Still up? // Just about, yes.
What's up? // Not much, the usual.
How was your week? // Long. Very long.
Hey {M}, how have you been? // Pretty good, thanks. Busy.
Hello hello! // Hey! Good to hear from you.
Sorry I missed your call earlier. // No worries at all.
You there? // Yep, just made coffee.
Happy Friday! // Finally, right?
Hey, did you get my message? // Just saw it, sorry!
Are we still on for a catch-up? // Yes! Tell me everything.
""".strip().splitlines()

SMALL = """
The weather's been awful here. // Same, it hasn't stopped raining.
I need more coffee today. // Don't we all.
Did you see that sunset yesterday? // I did, it was gorgeous.
I can't believe how fast this year is going. // Tell me about it.
My phone is about to die. // Plug it in, I'm not done with you!
The traffic this morning was a nightmare. // Ugh, it's always like that now.
I've been so tired lately. // You should get some rest.
Work's been mad this week. // Hang in there.
The wifi keeps dropping, sorry. // No problem, I can still read you.
It's so hot I can't think. // Drink some water!
I just spilled tea all over my desk. // Oh no! Is the laptop okay?
What are you having for dinner? // No idea yet, whatever's in the fridge.
The neighbours are drilling again. // At this hour?
I should really clean the kitchen. // It can wait.
Is it me or is everything more expensive now? // It's not just you.
The train was late again. // Of course it was.
I had the weirdest dream last night. // Go on, I'm listening.
My inbox is a disaster. // Just delete everything, that's what I do.
There's a dog barking outside nonstop. // Poor thing.
I'm so ready for the weekend. // Two more days!
Have you eaten? // Not yet, about to.
I keep losing my keys. // Get one of those tags.
It's snowing here! // Jealous, it's just grey here.
The queue at the supermarket was endless. // Saturdays are the worst.
I burned the toast again. // Classic you.
I think I'm getting old. // We all are!
They've changed the bus timetable again. // Why do they keep doing that?
I finally did the laundry. // Look at you, being an adult.
Somebody's playing loud music upstairs. // Is it at least good music?
I saw a fox on the way home. // Oh, I love foxes.
I never know what to wear in this weather. // Layers, always layers.
The news is so depressing these days. // I've stopped watching it.
My back is killing me from this chair. // You need a better chair.
I could sleep for a week. // Same here.
Do you ever just stare at the wall? // Daily.
The heating broke down last night. // Brr, stay warm!
Guess who I bumped into at the shops. // Who?? Tell me.
I'm making soup. // Perfect day for it.
The kids next door are so loud. // School holidays, what can you do.
Sometimes I wish there were more hours in a day. // Or fewer emails.
I love this time of year. // Me too, the light is lovely.
Ok I'm back, sorry, someone was at the door. // All good!
I've got that song stuck in my head. // Don't tell me which one.
My plants look sad. // Water them!
I tried that cafe on the corner. // And? Worth it?
Tuesday already, how? // I lost Monday somehow.
I keep hitting snooze. // Put the alarm across the room.
My laptop's so slow today. // Have you tried turning it off and on again?
The park was packed today. // First sunny day, no wonder.
I had leftovers for breakfast. // Respect.
The new bakery on the corner smells amazing. // I walked past it twice today, on purpose.
I think there's a mouse in the wall. // Get a cat. Or earplugs.
Why is every meeting an hour long? // Because nobody dares to leave early.
I dropped my sandwich, butter side down of course. // It's a law of nature.
The clocks go back on Sunday. // Finally an hour more in bed.
My umbrella turned inside out three times today. // That wind is something else.
I forgot my own password again. // Let me guess, it was on a sticky note?
Everyone in the office is coughing. // Stay away from them!
I had to run for the bus and still missed it. // Isn't that always the way.
The moon looks huge tonight. // Just went out to look, you're right!
Have you noticed that the days are getting longer? // Yes, I walked home in daylight today.
The dishwasher is making a strange noise. // Is there a spoon stuck in it?
I can't decide what to watch tonight. // You'll scroll for an hour and go to bed.
My hairdresser talks even more than I do. // Hard to imagine.
The printer hates me. // It can smell fear.
Some kid drew a whole city in chalk on our pavement. // That's adorable.
It smells of rain. // Bring the washing in!
Somebody took my lunch from the fridge at work. // Scandal!
""".strip().splitlines()

REPLIES = {
    "+": """
Oh, congratulations!|That's amazing news!|Wow, good for you!|I'm so happy for you.|Love that for you.|Yay!!
That's wonderful.
How exciting!|Brilliant, well done.|Aww, that's lovely.|Nice one!|That's so cool.|You must be thrilled.
Ooh, tell me more!
So glad to hear that.|That made my day.|Fantastic!|About time!|Sounds like fun.|That's great to hear, really.|Go you!
Sweet!
""",
    "-": """
Oh no, I'm so sorry.|That sounds rough.|Ugh, poor you.|Are you okay?|That must have been hard.|Sending hugs.
Sorry to hear that.
Oh dear.|That's awful.|I hope it gets better soon.|Take care of yourself.|What a pain.|Yikes.
How are you feeling now?|That sucks.
Let me know if I can help.|Oof.|I can imagine.|Hang in there.|That's such a shame.|Gosh, I had no idea.
""",
    ".": """
Oh, I didn't know that.|Interesting!|Makes sense.|Really? Cool.|Good to know.|Ah, okay.
Huh, never would have guessed.|Right.
I see.|Fair enough.|Ha, same old you.|Nice.|Oh really?|That's good.|How's that going?
Ah, I remember you mentioning something.
Since when?|First I've heard of it!|You never told me that.|Ha, typical.|Mm-hm.|Oh, nice!|Who would have thought.
Love it.
Sounds like you.|And how do you feel about it?|Is that a good thing?|I can picture it.|Okay, noted!|Of course you do.
Tell me more.
No way!|Haha really?|I had no idea.|Is that so?|Good for you.|Wow, ok.|Hm, I'm not surprised.
Cool cool.
I wouldn't have thought so.|Sounds about right.|Got it.|Oh wow.|Wait, seriously?|Haha, love it.|And do you like it?
Hm, okay.
""",
}

ACKS = """
Got it, thanks for telling me.|Thanks for sharing that!|Noted. Is there anything I can help you with there?
That's good to know. How can I help?|I see. What would you like to do next?|Thanks, I'll keep that in mind.
Understood. Would you like some ideas?|Sounds good! Let me know if you need anything.|That makes sense.
I appreciate the context.|Thanks for letting me know.|Okay!|Ah, good to know.|Thank you for telling me.
Right, understood.
That's helpful background.|I'll take that into account.|Nice to hear a bit about you.|Okay, what can I do for you?
All clear.
Thanks. Do you have a question about that?|Understood.|That sounds like a lot is going on.|Fine, let's go on.
I follow.
Good, I've got that.|Glad you mentioned it.|Sure, and what would you like to know?|Okay, tell me how I can help.
Very well.
Interesting!|Alright, noted.
Of course. Tell me more if you like.|Thanks for the background. What would be most useful to you now?
""".strip()

ASKS = "Yes?|Go ahead.|I'm listening.|Please tell me more.|Of course, what is it?|Sure, go on."

PROMPTS = """
Oh? Go on.|What happened?|Tell me!|And?|Don't keep me waiting!|What is it?|Oh really?|Yes?|I'm listening.|Go on then.
What??
Okay, spill.|Mm?|Let's hear it.|Oh, do tell.|Uh-oh. What?|Hm, how so?|Like what?
""".strip()

TAILS = """
It's a long story.|Can you believe it?|I'm still getting used to it.|Crazy, right?|Nothing special, I know.
Ask me anything.
I'll send you a picture later.|Anyway, how about you?|What about you?|And you?|I keep thinking about it.
Don't tell anyone yet.
Not that it matters.|I could talk about this for hours.|Sorry, I'm rambling.|But enough about me.
More on that when we meet.
""".strip()

LEADINS = """
Sorry for the late reply, it's been one of those days.|Haha, okay.|Yes, I've been meaning to tell you.
Same as ever here.|Phew, where do I start.|Can't complain.|Not much to report, except one thing.|Thanks for asking!
Long day today.
I was just about to write to you.|I nearly forgot.|It's been a funny week.|Right, I'm home now.
Ah, I should say.
""".strip()

USER_SMALL = """
Can you spell "accommodate" for me? // A-c-c-o-m-m-o-d-a-t-e: double c, double m.
What's 15% of 240? // 15% of 240 is 36.
Tell me a joke. // Why did the scarecrow win an award? Because he was outstanding in his field.
What's another word for "happy"? // You could use cheerful, delighted, content or glad.
How many feet are in a mile? // There are 5,280 feet in a mile.
Thanks, that helps a lot. // You're welcome! Let me know if there's anything else.
What does "ubiquitous" mean? // It means present or found everywhere.
Is it "affect" or "effect"? // Usually "affect" is the verb and "effect" is the noun.
What's the capital of Mongolia? // The capital of Mongolia is Ulaanbaatar.
Give me a synonym for "begin". // Start, commence, launch, or kick off.
How do you say "thank you" in Korean? // "Gamsahamnida" (감사합니다) is the polite form.
Who painted Guernica? // Pablo Picasso painted Guernica in 1937.
Ok, let me think about that. // Sure, take your time.
What's the square root of 144? // It's 12.
Convert 5 kg to pounds. // 5 kg is about 11 pounds.
How many days has February in a leap year? // It has 29 days.
Are you there? // Yes, I'm here. How can I help?
What's a palindrome? // A word that reads the same backwards, such as "level" or "noon".
Hmm, I'm not sure what I want to ask. // No problem. We can start anywhere you like.
Flip a coin for me. // Heads!
What year did the Berlin Wall fall? // It fell in November 1989.
Can I ask you something? // Of course, go ahead.
That's not what I meant, but never mind. // Sorry about that. Feel free to rephrase it.
Could you shorten this: "due to the fact that"? // You can simply write "because".
What's the plural of "octopus"? // "Octopuses" is the usual plural in English.
What rhymes with "silver"? // There's no perfect rhyme in common use; "chilver" is a rare one.
""".strip().splitlines()

REQUESTS = """
Anyway, what's a quick dinner with eggs? // A frittata: fry an onion, add beaten eggs and cheese, ten minutes.
Could you draft a short thank-you note? // "Thank you so much for your help. It meant a lot to me."
Can you suggest a podcast for long walks? // Try 99% Invisible for design stories or In Our Time for history.
Now to my question: how do I unclog a sink? // Try a plunger first, then baking soda followed by hot water.
Could you check this sentence: "Me and him went home"? // Better: "He and I went home."
What I wanted to ask: how long do I boil potatoes? // About twenty minutes, until a knife slides in easily.
Can you give me a name for a quiz team? // How about "Quizzy Rascals" or "The Usual Suspects"?
Can you find me a synonym for "busy"? // Occupied, swamped, tied up or hectic, depending on the tone.
Do you know a good stretch for stiff shoulders? // Clasp your hands behind your back and lift them gently.
How would I politely say no to an invitation? // "Thank you for thinking of me, but I can't make it this time."
Could you write me a limerick? // There once was a baker named Lou, whose bread always stuck like glue.
Which tense do I use after "since"? // Usually the present perfect in the main clause: "I have been here since noon."
Also, how do I get candle wax out of a tablecloth? // Freeze it, scrape it off, then iron it through paper.
While we're at it, what's a good icebreaker question? // "What's the best thing you've eaten this month?" works well.
And can you explain what a leap second is? // It's a second added now and then to keep clocks in step with the Earth.
Could you recommend a card game for two? // Gin rummy is quick to learn, and so is Schnapsen.
One question: how do I keep bananas fresh? // Wrap the stems and keep them away from other fruit.
What's the best way to learn poems by heart? // Line by line, aloud, and once more just before you sleep.
Please give me three ideas for a rainy afternoon. // A museum, a big pot of soup, or an old film with blankets.
Can you convert 70 miles to kilometres? // 70 miles is about 113 kilometres.
How do I write a good subject line? // Keep it under eight words and put the most important one first.
""".strip().splitlines()

BYES = """
I have to run, talk soon! // Bye, take care!
Ok, dinner's ready. Speak later! // Enjoy!
Right, bedtime for me. // Good night!
Let's catch up again next week. // Definitely.
My bus is here, gotta go. // Safe trip!
Better get back to work. // Same. Bye!
""".strip().splitlines()

BRIDGES = """
Thanks!|Yeah. So what's new with you?|I know, right?|Haha, yeah.|Thank you. And you, how are things?
Anyway, what about you?
That's kind of you.|Exactly.|Enough about me, though.|And how's everything on your side?|Yep.|True.
Well, you know me.|Mhm.
I'll keep you posted.|So, any news from you?|Right, your turn.|Tell me something new.|Yeah, we'll see.
What else is going on?
How's life otherwise?|You're sweet.|Same old, same old. You?|It is what it is.|Aw, thanks.|Haha.|Totally.
Ok, and what's up with you?
"""

JOINTS = """
By the way,|Anyway,|Oh, and|Also,|Btw,|On another note,|Completely different topic:|Before I forget,|That reminds me,
As for me,
"""
