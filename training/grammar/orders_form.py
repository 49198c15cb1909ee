"""Standing orders on the form of answers: `+` how the user puts it, `?` requests it bears on, `?d` asked outright."""

TABLE = """
= bullets @form
+ Always answer in bullet points.
+ From now on, please use bullet points instead of paragraphs.
+ I find lists easier to read, so give me bulleted answers.
? Why is the sky blue?
? What are the pros and cons of renting?
? Explain how vaccines work.
? What happened in the French Revolution?
? Tell me about the causes of inflation.
? How does a heat pump work?
?d How {does} {N} want answers to be laid out?
= short @form
+ Keep your answers under three sentences, please.
+ Please be brief. Two or three sentences are enough for me.
+ I don't like long answers. Short ones only from now on.
? What is blockchain?
? Why do cats purr?
? What does a notary do?
? Explain quantum computing.
? How do tides come about?
?d How long should answers to {Nm} be?
= simple @form
+ Explain things to me as if I were ten.
+ No jargon please, I'm not technical at all.
+ Use simple words when you explain something, I'm a layman.
? What is a mortgage?
? How does wifi work?
? What's an algorithm?
? Explain gravity.
? What are antibodies?
?d How technical should explanations for {Nm} be?
= expert @form
+ You can skip the basics with me, I have a PhD in physics.
+ Give me the technical version of things; I'm an expert reader.
+ Please don't simplify. I prefer rigorous explanations with the maths.
? How do semiconductors work?
? What is entropy?
? Explain how an MRI scanner produces an image.
? Why does ice float?
? What is dark matter?
?d What level of detail {does} {N} expect?
= nolists @form
+ Please stop using lists and write in full paragraphs.
+ I hate bullet points. Flowing prose only.
+ From here on no lists, just normal paragraphs.
? What should I see in Rome?
? Compare oat milk and cow's milk.
? What are the benefits of swimming?
? Give me some tips for a job interview.
? What does a good night routine look like?
= tables @form
+ When you compare things, put them in a table.
+ I'd like comparisons as tables from now on.
+ For any comparison please make me a table with columns.
? What's the difference between a frog and a toad?
? Compare the iPhone and the Pixel.
? Electric or petrol car: which is cheaper over five years?
? How do Spain and Portugal differ for retirees?
? Which is better for me, a laptop or a tablet?
= language @form
~ lang: Spanish; German; French; Italian; Polish; Portuguese; Turkish; Swedish
+ Please reply to me in {lang} from now on.
+ I'm learning {lang}, so answer everything in {lang}.
+ Whatever language I write in, always respond in {lang}.
? What's the weather usually like in April?
? How do I boil an egg?
? Write a birthday message for my aunt.
? What's on the moon?
? Recommend a good novel.
?d Which language should answers to {Nm} be in?
= british @spelling
+ Use British spelling in everything you write for me.
+ I write for a UK audience, so colour not color, please.
+ Please stick to British English.
? Write a paragraph about the colors of autumn.
? Draft an email to apologize for a delay.
? Proofread my cover letter.
? Write a blog post about favorite neighborhoods.
? Draft a product description for a gray sofa.
?d Which variety of English {does} {N} want?
= sources @form
+ Always cite your sources with links.
+ I need a reference for every claim you make.
+ From now on, tell me where each piece of information comes from.
? How many people speak Swahili?
? Is coffee bad for your heart?
? What share of energy comes from wind?
? Does homework improve grades?
? How dangerous is mould in a flat?
= noemoji @tone
+ No emojis, please.
+ Can you stop putting smileys in your answers?
+ I'd rather not see any emoji in what you write.
? Write a caption for my holiday photo.
? Draft a text to congratulate my sister.
? Write an Instagram post about our bake sale.
? Write a cheerful welcome message for new members.
? Make this party invitation more fun.
= formal @tone
+ Keep a formal tone with me at all times.
+ Please address me formally, as Dr Weiss.
+ I prefer a polite, formal register.
? Write a reply to my landlord.
? Draft a note to my students.
? Answer this message from a client for me.
? Write an out-of-office message.
? Help me decline an invitation.
= casual @tone
+ You can be casual with me, no need to be so stiff.
+ Talk to me like a friend, please.
+ Drop the formal tone. Relaxed is fine.
? Give me feedback on my poem.
? What do you think of my plan to quit sugar?
? Help me choose an outfit for Saturday.
? How should I start my speech?
? What should I say to my new colleague?
= callme @tone
~ nick: Bex; Captain; Professor; Dee; Jojo; Mr Adeyemi; Sunny; Kit
+ Please call me {nick}.
+ My name's long, so just call me {nick}.
+ I'd like you to address me as {nick}.
? Good morning!
? Write a short greeting for me to wake up to.
? Say hello to me in pirate style.
? Write me a motivational note.
? Draft a birthday poem for me.
?d What {does} {N} want to be called?
= oneatatime @form
+ When you teach me something, give me one step at a time and wait until I say done.
+ Don't dump all the steps at once. One step, then wait for me.
+ One instruction per message please, I lose track otherwise.
? How do I change a bike tyre?
? Help me set up my new router.
? How do I fold a paper crane?
? Walk me through baking bread.
? How do I install Linux?
= askfirst @form
+ Ask me questions before you give advice.
+ Don't jump to solutions; first ask what you need to know.
+ I want you to clarify before answering, if anything is unclear.
? Which laptop should I buy?
? Plan a weekend for us.
? What should I do about my noisy neighbour?
? Should I change jobs?
? Make me a workout plan.
= summary @form
+ Begin every longer answer with a one-line summary.
+ Put a TL;DR at the top of your answers.
+ I always want the gist first, then the detail.
? How does the European Parliament work?
? Explain the rules of cricket.
? What's in a balanced diet?
? Tell me about the history of tea.
? How do I write a will?
= euros @money
+ From now on give me prices in euros.
+ I think in euros, so please convert all amounts.
+ Whenever you quote a price, make it EUR.
? How much is a train from Lyon to Turin?
? What does a new bike cost?
? What would a week in Tokyo set me back?
? How much should I pay for a used piano?
? What's the price of gold?
? How much does it cost to fix a cracked phone screen?
?d Which currency {does} {N} want?
= pounds @money
+ Prices in pounds please, I'm in the UK.
+ Always convert money to GBP for me.
+ When money comes up, use sterling.
? How much does a flight to New York cost?
? What does a decent espresso machine cost?
? What's the average rent in Berlin?
? How much is a Broadway ticket?
? What would it cost to ship a box to Canada?
?d In what currency should amounts be given to {Nm}?
= metric @units
+ Use metric units, please.
+ I don't understand feet and pounds. Kilos and metres only.
+ Give all measurements in the metric system from now on.
? How tall is the Empire State Building?
? How heavy is a grizzly bear?
? How far is it from Boston to New York?
? How much flour is in a cup?
? What size is a king bed?
?d Which units of measurement {does} {N} prefer?
= imperial @units
+ I'm American, so use miles, pounds and inches with me.
+ Imperial units only, thanks.
+ Please give me measurements in feet and inches.
? How high is Mont Blanc?
? How much does a baby elephant weigh?
? How far is Paris from Berlin?
? How big is a tennis court?
? How long is the Nile?
= fahrenheit @temperature
+ Temperatures in Fahrenheit, please.
+ I never got used to Celsius, so use Fahrenheit.
+ Whenever you give a temperature, make it degrees F.
? How hot does it get in Seville in July?
? At what heat should I roast potatoes?
? When is a fever dangerous?
? How warm should a nursery be?
? What's the boiling point of alcohol?
= celsius @temperature
+ Always use Celsius for temperatures.
+ Fahrenheit means nothing to me. Celsius please.
+ For oven settings and weather I need degrees Celsius.
? How cold is it in Chicago in January?
? What oven setting do I need for a sponge cake?
? At what temperature does chocolate melt?
? How warm is the sea in Cornwall?
? What temperature should I store wine at?
= clock24 @clock
+ Use the 24-hour clock with me.
+ No am and pm please, I always mix them up.
+ Times should be written like 18:30, not 6:30 pm.
? When does the sun set in June?
? What are the best hours to visit the Louvre?
? Make me a timetable for studying on Saturday.
? When should I leave for a flight at nine in the evening?
? When do shops in Spain open after lunch?
= iso @dateform
+ Write dates as YYYY-MM-DD.
+ I want all dates in ISO format.
+ Year first, then month, then day whenever you give a date.
? When is Easter next year?
? When did the Titanic sink?
? When does the school year start in France?
? What's the deadline for the tax return?
? When was Mozart born?
= mondays @week
+ My week starts on Sunday, so make calendars that way.
+ Calendars should begin on Sundays for me.
+ When you plan my week, put Sunday first.
? Make me a weekly meal plan.
? Draw up a cleaning schedule.
? Plan my training for the next seven days.
? Make a rota for the four of us.
? Set up a study calendar for May.
= timezone @clock
~ place: Lisbon; Nairobi; Tokyo; Denver; Sydney; Toronto; Dubai
+ I'm in {place}, so convert all times to my time zone.
+ Please give every time in {place} time.
+ Whenever you mention a time of day, use the local time in {place}.
? When does the World Cup final kick off?
? When does the Apple event start?
? When is the New York stock exchange open?
? When can I call my cousin in London?
? When is the rocket launch?
= python @code
+ All code in Python, please.
+ I only know Python, so no other languages in examples.
+ If you show me code, make it Python 3.
? How do I reverse a string?
? Write a script that renames my photos.
? Show me a binary search.
? How can I read a CSV file?
? Write a small web server.
?d Which programming language {does} {N} want in examples?
= typescript @code
+ We use TypeScript at work, so write code in that.
+ TypeScript only for code samples, never plain JavaScript.
+ Whenever I ask for code I mean TypeScript.
? Write a function that removes duplicates from a list.
? How do I fetch data from an API?
? Show me how to sort objects by date.
? Write a debounce helper.
? How can I validate an email address?
= nocomments @codestyle
+ Don't put comments in code you write for me.
+ No comments in the code, I'll add my own.
+ Leave the comments out of any code.
? Write a function to compute a factorial.
? Show me a class for a bank account.
? Write a script to back up a folder.
? Give me a regex for phone numbers in a function.
? Write a unit test for a stack.
= tests @codestyle
+ Whenever you write code, add unit tests for it.
+ I want tests with every function you give me.
+ Never give me code without a test.
? Write a function that parses dates.
? Implement a queue.
? Write a temperature converter in code.
? Give me a function that checks for prime numbers.
? Write a parser for simple sums.
= honest @tone
+ Be brutally honest with my writing, don't flatter me.
+ I want blunt criticism, not compliments.
+ No sugar-coating, please. Tell me what's bad.
? What do you think of my short story?
? Here is my cover letter. Any thoughts?
? How's my business idea of renting out umbrellas?
? Rate my logo concept.
? Is my essay good enough to hand in?
= gentle @tone
+ Please be encouraging, I get discouraged easily.
+ Go easy on me with feedback, I'm a beginner and sensitive.
+ Start feedback with something positive, please.
? What do you think of my first drawing?
? Can you check my Spanish homework?
? Here is my poem, what's your opinion?
? Review my first program.
? How did I do in this mock interview?
"""
