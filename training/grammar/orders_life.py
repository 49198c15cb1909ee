"""Standing preferences of a user's life: food, travel, health, home, money. Marks as in `orders_form`."""

TABLE = """
= nomeat @food
+ I don't eat meat.
+ I've been a vegetarian for years, so keep that in mind.
+ No meat or fish for me, please, whatever we plan.
? What can I cook tonight?
? Give me a menu for a dinner party.
? What should I order in a Korean restaurant?
? Plan my lunches for the week.
? Suggest something hearty for a cold day.
? What goes well on a barbecue?
?d What {does} {N} not eat?
= vegan @food
+ I'm vegan, so no eggs or dairy either.
+ We live vegan at home.
+ I avoid all animal products.
? How do I make pancakes?
? Find me a good birthday cake recipe.
? What can I put in my coffee?
? What's a good high-protein breakfast?
? Suggest a creamy pasta sauce.
= halal @food
+ I only eat halal food.
+ Please remember that I keep halal.
+ Everything I eat has to be halal.
? Where should we eat in Munich?
? What can I cook for Eid guests?
? Recommend a sausage for breakfast.
? What sweets can I bring home from Copenhagen?
? Suggest a sauce for steak.
= kosher @food
+ I keep kosher.
+ Our kitchen is kosher, so meat and dairy never together.
+ Only kosher recipes for me, please.
? What's a good lasagne recipe?
? What can I serve at a big family dinner?
? Suggest something to do with shrimp season here.
? What can I eat on a flight to Tokyo?
? Give me a recipe for a rich beef stew with a dessert.
= nuts @food
+ I have a severe nut allergy.
+ Nuts could kill me, literally, so never suggest them.
+ I'm badly allergic to nuts of any sort.
? What's a good snack for the train?
? How do I make pesto?
? Suggest a dessert for Sunday.
? Which ice cream should I try in Naples?
? What can I use for a crunchy salad topping?
= gluten @food
+ I've got coeliac disease, so no gluten.
+ I can't have wheat, rye or barley.
+ Everything must be gluten-free for me.
? How do I make pizza at home?
? What can I have for breakfast?
? Which beer goes with curry?
? Plan a picnic for six.
? What should I bake for the school fair?
= lactose @food
+ I'm lactose intolerant.
+ Milk doesn't agree with me, so nothing with dairy.
+ My stomach can't handle milk products.
? What's a good smoothie recipe?
? How do I make mashed potatoes fluffy?
? Suggest a soup for dinner.
? What should I order at an ice cream parlour?
? What's a nice sauce for broccoli?
= coriander @food
+ I can't stand coriander. It tastes like soap to me.
+ Please never put coriander in a recipe for me.
+ I hate cilantro, leave it out of everything.
? How do I make guacamole?
? Give me a Thai curry recipe.
? What toppings go on tacos?
? How do you make a fresh salsa?
? What garnish suits a carrot soup?
= spicy @food
+ I can't eat spicy food.
+ Anything hot upsets my stomach, so mild dishes only.
+ Chilli is out for me.
? What should I order at an Indian restaurant?
? Give me a recipe for a stir-fry.
? How do I season chicken wings?
? What street food should I try in Bangkok?
? Suggest a marinade.
= noalcohol @drink
+ I don't drink alcohol.
+ I've been sober for two years, so no drinks with alcohol.
+ Please no wine or beer suggestions, I'm teetotal.
? What should I serve at my party?
? What goes well with grilled fish to drink?
? What can I order at a cocktail bar?
? What's a good host gift to bring and share?
? How do I make a tiramisu?
= nocaffeine @drink
+ I've given up caffeine.
+ My doctor took me off coffee and black tea.
+ Caffeine gives me palpitations, so I avoid it.
? What can I drink to stay awake?
? What should I order at Starbucks?
? What's good in the afternoon slump?
? Recommend a hot drink for the morning.
? What energy drink is best before a run?
= onepot @cooking
+ I only have one pot and a hotplate.
+ There's no oven in my flat, just a single hob.
+ Keep recipes to one pot, I haven't got an oven.
? How do I make a birthday cake?
? What can I make with potatoes and cheese?
? Give me a recipe for roast vegetables.
? What's a nice dinner for two?
? How do I cook salmon?
= quickmeals @cooking
+ On weekdays I've got twenty minutes to cook at most.
+ Recipes must be done in under 20 minutes.
+ I never have time to cook, so only quick dishes.
? What's for dinner on Tuesday?
? How do I make a curry?
? Suggest something with chickpeas.
? Give me a pasta dish for tonight.
? Which soup should I make?
= portions @cooking
+ I cook for six people every day.
+ We're a family of six, so scale recipes accordingly.
+ All recipes should serve six.
? How do I make chilli?
? How much rice do I need?
? Give me a pancake recipe.
? What do I buy for a pasta dinner?
? How many potatoes for a gratin?
= aisle @seat
+ I prefer aisle seats.
+ On planes I always want the aisle, because of my legs.
+ Book me an aisle seat whenever there's a choice.
? Find me a flight to Lisbon in May.
? Help me check in for tomorrow.
? Which seat should I pick on a Boeing 777?
? I'm flying to Toronto, what should I reserve?
? Is row 14 good on a long-haul flight?
?d Where {does} {N} like to sit on a plane?
= window @seat
+ I always want a window seat.
+ Window seats for me, I love looking out.
+ If you book anything for me, choose the window.
? Book the train to Edinburgh.
? Pick a seat for my flight to Oslo.
? Which side of the plane is best to Innsbruck?
? Help me with the online check-in.
? Which seat would you reserve on the night bus?
= noflying @travel
+ I don't fly, for the climate's sake.
+ I'm terrified of flying, so trains and ferries only.
+ No planes for me. I go everywhere by rail.
? How do I get from London to Barcelona?
? What's the fastest way to Stockholm?
? Plan a week in Sicily for me, starting in Cologne.
? How can I visit my friend in Morocco?
? What's the cheapest way to reach Dublin?
= budget @travel
+ My travel budget is tight, so hostels rather than hotels.
+ I travel cheap: dorm beds, buses, street food.
+ When I travel, always give me the cheapest option.
? Where should I stay in Amsterdam?
? How do I get from the airport to central Rome?
? Where can I eat in Zurich?
? Plan three days in Copenhagen.
? What can I do in Paris on a Monday?
= wheelchair @access
+ I use a wheelchair.
+ Please only suggest places without steps, I'm in a wheelchair.
+ Everything has to be step-free for me.
? What should I see in Lisbon?
? Which museum is worth it in Prague?
? Find a restaurant near the old town.
? Where can we go for a walk near Bath?
? Recommend a hotel in Venice.
= kids @family
+ I travel with two toddlers.
+ Remember that we always have our two small children with us.
+ Any plans must work with kids of two and four.
? What can we do in Vienna for a weekend?
? Which restaurant should we book on Friday?
? How long a hike can we do on Sunday?
? Which hotel would suit us in Crete?
? What should we do on a rainy afternoon?
= dogtravel @pet
+ My dog comes everywhere with me.
+ I never travel without my dog.
+ Please check that places allow dogs, mine is always along.
? Find me a cottage in Wales.
? Which cafe is nice near the canal?
? How do I get to Brittany?
? Where can I hike in the Black Forest?
? Which beaches are good in Cornwall?
= crowds @crowds
+ I avoid crowds.
+ I get panicky in crowded places, so quiet spots only.
+ Nothing touristy and packed, please.
? What should I see in Barcelona?
? When should I visit the Uffizi?
? Where can I celebrate New Year's Eve?
? What's a good day out in London?
? When is the best time for the supermarket?
= knee @exercise
+ I've got a bad knee, so nothing with jumping or running.
+ My knees are wrecked. Low-impact only.
+ Since my knee surgery I can't do squats or run.
? Make me a fitness plan.
? How can I lose five kilos?
? What's a good warm-up?
? Which sport should I take up?
? Give me a 15-minute workout.
= back @exercise
+ I have a slipped disc.
+ My lower back is bad, so no heavy lifting.
+ With my back I can't lift or bend much.
? How do I move my washing machine?
? What exercises can I do at home?
? How should I set up my raised beds?
? Can I help my friend move on Saturday?
? What's a good gym routine?
= morning @schedule
+ I'm useless before ten, so plan nothing early.
+ Never schedule anything for me in the early morning.
+ Late mornings at the earliest please, I'm a night owl.
? When should I book the dentist?
? Plan my Saturday in Ghent.
? Find a slot for a call with Anna.
? When should I do my workouts?
? Which train should I take to Hamburg?
= sundays @schedule
+ I keep the Sabbath, so nothing from Friday evening to Saturday night.
+ Don't plan anything for me on Shabbat.
+ From Friday sunset to Saturday sunset I'm not available.
? When could we have the team dinner?
? Plan my weekend.
? When should I travel back from Leeds?
? Find me a time for the hairdresser.
? Which day suits for the barbecue?
= nodriving @transport
+ I don't drive.
+ I haven't got a licence, so public transport only.
+ No car here. I go by bus or bike.
? How do I get to the Lake District?
? What's the best way to the furniture store?
? Plan a day trip for Sunday.
? How do I bring home a Christmas tree?
? Where can I hike near Freiburg?
= bike @transport
+ I do everything by bicycle.
+ I go by bike wherever I can, so routes for bikes please.
+ Cycling is my only way of getting around.
? How long does it take to the airport?
? How do I get to work in the rain?
? What's the way from Utrecht to Gouda?
? How should I do the weekly shop?
? Plan a weekend trip from Copenhagen.
= secondhand @shopping
+ I only buy second-hand.
+ I don't buy anything new if I can help it.
+ Used things only, please, I'm done with buying new.
? Where can I get a winter coat?
? I need a desk. Any ideas?
? What phone should I get?
? Where do I buy a crib?
? What should I give my friend for her birthday?
= noamazon @shopping
+ I don't shop at Amazon.
+ Please never send me to Amazon, I prefer local shops.
+ I boycott Amazon.
? Where can I get this novel?
? Where do I find a cheap kettle?
? Which headphones should I order?
? Where can I buy printer ink by Friday?
? How do I get a present to my nephew fast?
= fragrance @shopping
+ I can't stand perfume. Unscented products only.
+ Fragrances give me headaches, so everything unscented.
+ My skin reacts to perfume in products.
? Which detergent should I buy?
? Recommend a hand cream.
? What shampoo is good for dry hair?
? What can I give my bathroom to smell fresh?
? Which sunscreen should I get?
"""
