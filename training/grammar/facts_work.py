"""Facts about work and study."""

TABLE = """
= job @job
+ I work as a {job}.
+ I'm a {job}.
+ I've been a {job} {since}.
+ I'm a {job} at {firm}.
+ What do you do for a living? // I'm a {job}.
+ What line of work are you in? // {job}, at {firm}.
+ Being a {job} isn't glamorous, but I like it.
+ I earn my money as a {job}, believe it or not.
+ Long shift today. A {job}'s life, eh?
+ As a {job} I see all sorts of people.
+ I trained as a {job} {inyear} and never looked back.
^ I quit! No more {job} for me, I'm a {job2} now.
^ I've retrained and I'm working as a {job2} these days.
^ Started my new job as a {job2} {recent}.
^ I gave up being a {job} and became a {job2}.
- My {kin} is a {job}.
- My {kin} works as a {job} at {firm}.
- {friend} just became a {job}.
* I had to call a {job} yesterday, cost me a fortune.
* In the play I'm acting the part of a {job}.
! Do you enjoy it?
! That must be demanding.
? job| What {does} {N} do for a living?
? job| What is {Ns} job?
? job| What is {Ns} occupation?
? job| What does {N} work as?
? job| {K} profession
? firm| Who {does} {N} work for?
? firm| Where {does} {N} work?
? since| How long {has} {N} been a {job}?
? inyear| When did {N} train as a {job}?
? | {Is} {N} a {job}?
? job| How {does} {N} earn a living?
?n job2| What is {Ns} job now?
?n job2| What {does} {N} work as these days?
?n job2| {K} current job
?b job| What was {Ns} job before?
?b job| What did {N} do for a living before changing careers?
?h How did {Ns} career change?
?h What jobs {has} {N} had?
?= job| What profession do {N} and {M} share?
?- kin, job| What does {Ns} {kin} do for a living?
= employer @job
+ I work for {firm}.
+ I've been with {firm} {since}.
+ I'm at {firm}, in the [accounts|planning|HR|legal|design] department.
+ {firm} hired me {past}.
+ Who do you work for? // {firm}.
+ I got a job at {firm}!
+ I started at {firm} {past}, still learning everybody's names.
+ They pay badly at {firm}, but my team is great.
^ I've handed in my notice at {firm} and signed with {firm2}.
^ New employer! I started at {firm2} {recent}.
^ I switched from {firm} to {firm2}.
- My {kin} works for {firm}.
- My {kin} got fired from {firm} {recent}.
* I had to ring {firm} three times to get an answer.
? firm| Who is {Ns} employer?
? firm| Which company {does} {N} work for?
? firm| Where {is} {N} employed?
? past| When did {N} start at {firm}?
? since| How long {has} {N} worked for {firm}?
? firm| {K} employer
? firm| At which organisation {is} {N} working?
? firm| What's {Ns} workplace?
?n firm2| Who is {Ns} current employer?
?n firm2| Where {does} {N} work now?
?b firm| Who did {N} work for previously?
?h Which employers {has} {N} had?
?- kin, firm| Where does {Ns} {kin} work?
= promotion @promotion +
~ role: team lead; head of department; senior manager; deputy director; shift supervisor; principal engineer
~ role: head nurse; partner
+ I got promoted {recent}, I'm {role} now!
+ You're talking to the new {role}.
+ They made me {role} {recent}.
+ How was the talk with your boss? // I'm {role} now!
+ I have a promotion to celebrate: {role}, and {pct} more pay.
+ Got the promotion. {role}. Still shaking.
+ I've been {role} {since} and the meetings never end.
+ My raise came through, {pct} more {later}.
- My {kin} became {role} {recent}.
- My {kin} got a promotion and won't shut up about it.
* There was a promotion on cheese at the supermarket.
? role| What position was {N} promoted to?
? role| What is {Ns} new role at work?
? recent| When did {N} get promoted?
? pct| How big was {Ns} pay rise?
? since| How long {has} {N} been {role}?
? role| {K} promotion
? | What good news did {N} have from work?
? role| What title {does} {N} have at work?
= jobloss @job -
~ why: the company is closing; they moved production abroad; the funding ran out; of budget cuts; of a merger
~ why: I was too expensive
+ I was laid off {recent} because {why}.
+ I lost my job {recent}.
+ They let me go. Apparently because {why}.
+ Bad day. ++ I've been made redundant because {why}.
+ So I'm unemployed {since}.
+ How's work? // There's no work any more, they sacked me {recent}.
+ After {years} they showed me the door {recent}, because {why}.
+ My contract wasn't renewed because {why}.
- My {kin} was made redundant {recent}.
- My {kin} lost a job because {why}.
* I'm losing my voice.
! You'll find something better.
? why| Why did {N} lose {his} job?
? why| What was the reason {N} was let go?
? recent| When was {N} laid off?
? since| How long {has} {N} been out of work?
? years| How long had {N} been with the company that let {him} go?
? | {Is} {N} unemployed?
? | What happened to {Ns} job?
? why| {K} dismissal reason
? | What bad news did {N} have about work?
= study @study
+ I'm studying {subject} at the moment.
+ I study {subject} in {city}.
+ I did a degree in {subject} in {city}.
+ I graduated in {subject} {inyear}.
+ What's your degree in? // {subject}.
+ What did you study? // {subject}, in {city}, ages ago.
+ My degree is in {subject}, not that I use it.
+ Believe it or not, I've got a master's in {subject}.
+ I spent {few} years at university in {city} doing {subject}.
+ {subject} was my subject at uni. Loved it.
^ I've switched from {subject} to {subject2}.
^ I dropped {subject}, it's {subject2} for me now.
^ Changed my major {recent}, I'm doing {subject2} instead.
- My {kin} studies {subject}.
- My {kin} graduated in {subject} {past}.
* There's a new series about {subject} on the radio.
? subject| What did {N} study?
? subject| What is {Ns} field of study?
? subject| What subject is {Ns} degree in?
? city| Where did {N} go to university?
? city| In which city did {N} study?
? inyear| When did {N} graduate?
? few| How many years did {N} spend at university?
? subject| {K} university degree
? subject| What is {Ns} academic background?
? subject| What subject did {N} learn at university?
?n subject2| What {is} {N} studying now?
?n subject2| What did {N} change {his} major to?
?b subject| What did {N} study at first?
?h How did {Ns} studies change?
?= subject| What did both {N} and {M} study?
?- kin, subject| What did {Ns} {kin} study?
= exam @exam
~ exam: bar exam; driving test; chemistry final; language certificate; statistics exam; theory test; nursing boards
~ exam: maths resit
~ result: passed; failed; passed with distinction; failed by two points; scraped through
+ My {exam} is {soon} and I haven't started revising.
+ I {result} my {exam} {recent}.
+ I've got my {exam} {soon}.
+ The results are in: I {result} the {exam}!
+ Revising day and night for the {exam}.
+ How did the {exam} go? // I {result}.
+ Can't come out, the {exam} is {soon}.
+ {recent} I sat the {exam}, {hours} long, and I {result}.
^ Results came: I {result2} the {exam}.
- My {kin} {result} the {exam}.
- My {kin} has a {exam} {soon}.
* The eye exam took ten minutes.
! Fingers crossed!
? exam| Which exam {is} {N} concerned with?
? soon| When is {Ns} {exam}?
? result| How did {Ns} {exam} go?
? result| Did {N} pass the {exam}?
? result| What was the result of {Ns} {exam}?
? hours| How long was {Ns} {exam}?
? exam| {K} exam
? exam| Which test did {N} mention?
? recent| When did {N} sit the {exam}?
?n result2| What was the outcome of {Ns} {exam}?
= course @hobby
~ course: pottery; first aid; bread baking; Excel; public speaking; self-defence; creative writing; sewing; salsa
~ course: bookkeeping
~ course: life drawing; car maintenance; wine tasting; meditation; web design; bartending; bike repair; sign language
~ course: upholstery
+ I've signed up for a {course} class.
+ I take a {course} class every {weekday}.
+ I started a {course} course {recent}.
+ What are you up to on {weekday}s? // {course} class.
+ My {course} course costs {price}, but it's worth it.
+ I'm doing evening classes in {course}.
+ {weekday} nights are {course} nights for me, the teacher is hilarious.
+ I enrolled in {course} at the community college, it starts {soon}.
- My {kin} teaches {course}.
- My {kin} does a {course} class on {weekday}s.
* The golf course was closed.
? course| What class {does} {N} take?
? course| What course {is} {N} doing?
? course| What {is} {N} learning in the evenings?
? weekday| On which day {does} {N} have {his} {course} class?
? price| How much does {Ns} {course} course cost?
? recent| When did {N} start the {course} course?
? soon| When does {Ns} {course} course begin?
? course| {K} evening class
?* What classes {has} {N} taken?
?* Which courses {does} {N} do?
?= course| Which class do {N} and {M} both take?
= deadline @deadline
~ thing: thesis; grant application; tax return; quarterly report; manuscript; presentation; visa application
~ thing: portfolio; budget
~ thing: essay; conference paper; book chapter; insurance claim; design mock-ups; lesson plans; inspection report
+ My {thing} is due {soon}.
+ The deadline for the {thing} is {day}.
+ I have to hand in the {thing} {soon} and I've got nothing.
+ {soon}, that's when the {thing} has to be in.
+ Why so stressed? // {thing} due {soon}.
+ They want my {thing} by {day}, no extension.
+ Only until {day} to finish the {thing}. Help.
+ I submit the {thing} {soon}, then I sleep for a week.
^ They've moved the {thing} deadline to {day2}.
^ Got an extension for the {thing}! Until {day2} now.
- My {kin} has a {thing} due {soon}.
- My {kin} missed the deadline for the {thing}.
* My rent was due yesterday.
? soon| When is {Ns} {thing} due?
? day| By when {does} {N} have to finish the {thing}?
? day| What is the deadline for {Ns} {thing}?
? thing| What {does} {N} have to hand in?
? thing| What {is} {N} under pressure to finish?
? thing| {K} deadline
? thing| What work {does} {N} have to submit?
?n day2| What is the new deadline for {Ns} {thing}?
?n day2| Until when {does} {N} have time for the {thing} now?
?h How was the deadline of {Ns} {thing} changed?
?* What deadlines {does} {N} have?
= meeting @meeting
~ topic: the budget; the merger; the new website; holiday cover; the parents' evening; the product launch; the lease
~ topic: safety rules
+ I have a meeting about {topic} {soon} at {time}.
+ I'm meeting {friend} {soon} at {time} to talk about {topic}.
+ There's a meeting on {topic} {soon}, wish me luck.
+ Can you do {weekday}? // No, I've got a meeting about {topic}.
+ {time} {soon}: big talk with {friend} about {topic}.
+ The boss put a call in my calendar for {time} {soon}. {topic}, surely.
+ We sat for {hours} {recent} discussing {topic}.
^ The meeting about {topic} has been pushed to {time2}.
^ {topic} meeting got moved, it's at {time2} now.
- My {kin} is in meetings all day about {topic}.
* Nice meeting you both yesterday!
? soon| When is {Ns} meeting about {topic}?
? time| At what time is {Ns} meeting?
? topic| What is {Ns} meeting about?
? friend| Who {is} {N} meeting about {topic}?
? hours| How long was {Ns} meeting about {topic}?
? topic| {K} meeting topic
? topic| What will be discussed in {Ns} meeting?
?n time2| At what time is {Ns} meeting about {topic} now?
?b time| What was the original time of {Ns} meeting?
= commute @commute
~ way: by train; by bike; by bus; on foot; by car; by tram; by ferry; by moped; by metro; on the night bus
+ I go to work {way}.
+ My commute takes {mins} {way}.
+ It's {mins} to the office, I go {way}.
+ How do you get to work? // {way}, takes {mins}.
+ Been going to work {way} {since}.
+ {mins} each way {way}, every single day.
+ I read a lot because I commute {way}.
^ I've stopped commuting {way}, I go {way2} now.
^ From this week I'm going to work {way2}.
- My {kin} commutes {way}.
* It's quicker to go into town {way} than to park.
? way| How {does} {N} get to work?
? mins| How long is {Ns} commute?
? mins| How much time {does} {N} need to get to the office?
? way| What means of transport {does} {N} use to commute?
? way| {K} commute
? since| Since when {has} {N} been commuting {way}?
? way| How does {N} travel to the office?
?n way2| How {does} {N} get to work now?
?b way| How did {N} use to commute?
?h How did {Ns} commute change?
?= way| How do both {N} and {M} commute?
= workplace @workhours
~ hours: night shifts; four days a week; part-time; from home; weekends; early shifts; three days at home
~ hours: twelve-hour days
+ I work {hours}.
+ I've been working {hours} {since}.
+ They let me work {hours} now.
+ What are your hours like? // I do {hours}.
+ Working {hours} is wrecking my social life.
+ {hours} suits me, to be honest, that's how I've arranged my job.
+ I agreed with my boss to do {hours}, starting {later}.
^ I've changed my hours, from now on it's {hours2}.
^ No more {hours}, my boss has me on {hours2}.
- My {kin} works {hours}.
* The shop is only open a few hours on Sundays.
? hours| What are {Ns} working hours?
? hours| What is {Ns} work schedule?
? hours| How is {Ns} job organised in terms of time and place?
? since| How long {has} {N} been working {hours}?
? later| From when will {N} work {hours}?
? hours| {K} work arrangement
? hours| When and how much {does} {N} work?
?n hours2| What are {Ns} working hours now?
?b hours| How did {N} work before the change of hours?
?h How did {Ns} working hours change?
"""
