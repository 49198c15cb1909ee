"""More standing preferences: home, people, learning, shopping, leisure, work. Marks as in `orders_form`."""

TABLE = """
= renting @housing
+ I rent, so I can't drill holes or change anything.
+ My landlord doesn't allow any drilling.
+ Nothing that leaves marks on the walls, it's a rented flat.
? How do I put up a shelf?
? How can I make my bedroom darker?
? Where should I hang my paintings?
? How can I fit a curtain in the living room?
? How do I improve my bathroom?
= smallflat @housing
+ My flat has only 28 square metres.
+ I live in a tiny studio, so space matters in anything you suggest.
+ Keep in mind that I have almost no storage.
? Which sofa should I get?
? Where could I dry my laundry?
? What home gym equipment is worth it?
? Should I get a Christmas tree?
? How can I host dinner for six?
= zone @gardening
+ My balcony faces north and gets no sun.
+ Only shade plants please, there's no sun at my place.
+ I've got a dark north-facing yard.
? What should I plant this spring?
? Can I grow tomatoes?
? Which flowers bloom longest?
? What herbs can I keep outside?
? What would look nice in my window boxes?
= organic @gardening
+ I garden without any chemicals.
+ No pesticides or artificial fertiliser in my garden, ever.
+ Please only suggest organic methods for my garden.
? How do I get rid of aphids?
? What's eating my cabbages and what can I do?
? How do I feed my roses?
? There are weeds in the drive. Help!
? How do I deal with slugs?
= catsafe @petsafe
+ I have two cats, so nothing poisonous to them in the house.
+ Remember my cats when you suggest plants or cleaning products.
+ Everything at home must be safe for cats.
? Which flowers should I put on the table?
? What's a good essential oil diffuser?
? Which houseplant would suit my desk?
? What can I use to clean the floor?
? How do I keep ants away?
= colourblind @vision
+ I'm colour-blind, red and green look the same to me.
+ Don't rely on colours with me, I've got red-green blindness.
+ Please remember that I can't tell red from green.
? Make a chart of my expenses.
? How do I tell whether meat is done?
? Help me design a logo.
? Which wires go where in this plug?
? How do I know when strawberries are ripe?
= screenreader @vision
+ I'm blind and use a screen reader, so no tables or ASCII art.
+ Please write for a screen reader; I can't see images.
+ I can't see, so describe things in words only.
? Compare these three phones.
? What does the Eiffel Tower look like?
? Show me the layout of a chess board.
? How do I get from the station to the library?
? Make an overview of the planets.
= dyslexia @vision
+ I'm dyslexic, so short sentences and no walls of text.
+ Long paragraphs are hard for me because of my dyslexia.
+ Please use short lines, I've got dyslexia.
? Explain the offside rule.
? Summarise this contract for me.
? How does the stock market work?
? What's the plot of Hamlet?
? How do I appeal a parking ticket?
= nospoilers @media
+ No spoilers, ever, about films or books.
+ Please don't give away endings.
+ I hate it when plots are revealed, so keep them secret.
? What's Gone Girl about?
? Is the last season of Dark any good?
? Tell me about the Sixth Sense.
? Should I read Atonement?
? Who is who in Game of Thrones?
= nohorror @media
+ I can't watch anything scary or gory.
+ No horror or violence for me, I have nightmares.
+ Please leave out violent films.
? Recommend a film for tonight.
? What should I watch on Halloween?
? Which series is worth starting?
? What's a gripping novel for the beach?
? What's new on Netflix?
= subtitles @media
+ I'm hard of hearing and need subtitles.
+ I can't follow anything without captions.
+ Please only suggest things with subtitles, my hearing is bad.
? Which lecture series is good on physics?
? Where can I watch the new Almodovar?
? Recommend some YouTube channels about cooking.
? Which streaming service should I take?
? What podcast or video would help me with Spanish?
= womenauthors @reading
+ I'm only reading books by women this year.
+ This year it's female authors only for me.
+ Please suggest books by women, nothing else.
? What should I read next?
? Recommend a detective novel.
? Which science fiction classic have I missed?
? What's a good book on walking?
? Suggest something for my flight.
= audiobooks @reading
+ I don't read on paper any more, only audiobooks.
+ I listen to books rather than read them.
+ Audiobooks only for me, I'm always driving.
? What's a good history of Rome?
? Which novel should I start?
? How can I learn about economics?
? Recommend me something funny.
? What are the best memoirs?
= shortbooks @reading
+ I never finish long books, so under 200 pages please.
+ My limit is about two hundred pages.
+ Only slim books for me.
? Suggest a Russian classic.
? What should our book club read?
? What's a good introduction to philosophy?
? Recommend a fantasy novel.
? Which Japanese author should I try?
= privacy @tech
+ I avoid Google products.
+ No Google, please, for privacy reasons.
+ I've left Google and want alternatives.
? Which browser should I use?
? How do I share a calendar with my husband?
? Where can I store my photos?
? What's a good maps app?
? Which phone should I buy next?
= opensource @tech
+ I only use open-source software.
+ Free software only, please, nothing proprietary.
+ I run Linux and want open-source tools.
? What can I edit photos with?
? How do I make a slide show?
? Which note-taking app is good?
? What should I use for video calls?
? How do I design a poster?
= mac @tech
+ I'm on a Mac.
+ I use macOS, so no Windows instructions.
+ Remember that my computer is a MacBook.
? How do I take a screenshot?
? How do I force an app to quit?
? Where do I change the keyboard layout?
? How can I zip a folder?
? How do I free up disk space?
= android @tech
+ My phone is an Android, not an iPhone.
+ I've got an Android phone.
+ Instructions for Android please.
? How do I block a number?
? How do I back up my messages?
? Can I set a bedtime mode?
? How do I record my screen?
? How do I turn off autocorrect?
= vim @codetools
+ I edit everything in Vim.
+ Assume that I'm using Vim, not an IDE.
+ No VS Code tips, I'm a Vim user.
? How do I rename a variable everywhere?
? How can I format a file on save?
? How do I jump to a definition?
? What's the quickest way to comment out ten lines?
? How do I compare two files?
= nolibs @codetools
+ Standard library only, no third-party packages.
+ I can't install packages at work, so keep code free of dependencies.
+ Please write code without external libraries.
? How do I download a web page in a script?
? How can I parse this XML?
? Plot my data, please.
? Write a script that resizes images.
? How do I read an Excel sheet in code?
= nightshift @worktime
+ I work nights and sleep from eight to three.
+ Remember that I'm on night shifts.
+ My day starts at four in the afternoon because of night work.
? When should I go to the gym?
? Make me a daily plan.
? When should I have my main meal?
? When could the plumber come?
? What's a good time to call me back?
= meetings @worktime
+ No meetings on Fridays for me.
+ I keep Fridays free of calls.
+ Fridays are blocked for deep work.
? Find a time for the project review.
? Suggest three slots for the interview.
? When should we hold the weekly sync?
? Schedule a call with the printer's this week.
? Plan my work week.
= signoff @mail
+ Sign my emails with "Warm regards, Dr Lee".
+ All my emails should end with "Warm regards, Dr Lee".
+ When you write mail for me, close with Warm regards and Dr Lee.
? Draft a reply to the conference organisers.
? Write to the hotel about a late arrival.
? Ask my colleague for the slides.
? Write a complaint to the airline.
? Thank the committee for their time.
= shortmail @mail
+ My emails should never be longer than five lines.
+ Keep any email you draft for me to five lines at most.
+ Short emails only, nobody reads long ones.
? Write to my landlord about the heating.
? Draft an invitation to the workshop.
? Write an update for the investors.
? Decline the offer from the recruiter.
? Ask the school for a meeting.
= gender @people
+ My partner uses they/them pronouns.
+ When you write about my partner Sam, use they.
+ Please say they for Sam, never he or she.
? Write a birthday card for Sam.
? Draft a toast for Sam's graduation.
? Write a short bio of Sam for the website.
? What could Sam wear to the wedding?
? Describe Sam in three sentences.
= kidsage @people
+ My daughter is six, so explain things at her level when I ask for her.
+ I often ask for my six-year-old; use words she knows.
+ Whenever it's for my daughter, remember she's only six.
? Tell my daughter why the moon changes.
? What can I read to my daughter tonight?
? Write a maths game for my daughter.
? Explain death to my daughter.
? What could my daughter make for her granny?
= budgetgift @giving
+ I never spend more than 25 euros on a present.
+ My limit for gifts is 25.
+ Presents must stay below 25 euros.
? What can I give my boss for Christmas?
? I need a housewarming present.
? What would a keen gardener like?
? Find something for my niece's birthday.
? What's a nice thing to bring to a christening?
= noplastic @eco
+ I'm trying to live without plastic.
+ No plastic, please, in anything you suggest I buy.
+ I avoid plastic wherever I can.
? What lunch box should I get?
? Which toothbrush is best?
? How should I store leftovers?
? What toys are good for a one-year-old?
? What do I need for a picnic?
= cashonly @paying
+ I don't have a credit card.
+ I can only pay cash or by bank transfer.
+ No card payments for me.
? How do I book a hotel in Vienna?
? How can I rent a car on holiday?
? Where can I buy concert tickets?
? How do I pay for an online course?
? How can I send my son money in Peru?
= pregnant @health
+ I'm pregnant, due in autumn.
+ Please keep in mind that I'm expecting.
+ I'm four months pregnant.
? Which cheese can I take to the picnic?
? Can I go to the sauna?
? What can I take for a headache?
? Is a flight to Bali a good idea?
? What exercise would do me good?
= diabetes @health
+ I'm diabetic, type 1.
+ I have diabetes, so sugar matters in everything.
+ Remember my diabetes.
? What can I have for dessert?
? How should I prepare for a long hike?
? What snack is good before bed?
? Can I fast for a day?
? What should I take on a long flight?
= migraine @health
+ Bright light and loud places trigger my migraines.
+ I get migraines from flickering light and noise.
+ With my migraines I need calm and dim places.
? Where should we celebrate my birthday?
? Which lamp should I buy?
? Is the laser show worth it?
? Which concert could we go to?
? Which desk in the open-plan office should I take?
= nogym @exerciseplace
+ I hate gyms. I only exercise outdoors.
+ No gyms for me, fresh air only.
+ Sport has to be outside, I can't stand studios.
? How can I build muscle?
? Make me a training plan for winter.
? What class should I try?
? How do I get fitter before summer?
? What can I do for my posture?
"""
