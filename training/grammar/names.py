"""First names of many cultures, with the pronoun their bearers usually take."""

from __future__ import annotations

__all__ = ["MEN", "NAMES", "WOMEN"]

WOMEN = (
    "Ana Maya Priya Fatima Chloe Ingrid Yuki Mei Aisha Sofia Elena Nadia Olga Katya Zofia Hanna Freya Astrid Sigrid "
    "Amara Chioma Ngozi Zainab Halima Leila Yasmin Shirin Parisa Noor Rania Salma Dina Miriam Tamar Yael Rivka "
    "Ayelet Lucia Carmen Pilar Ines Marta Beatriz Camila Valentina Isabella Renata Paloma Ximena Giulia Chiara "
    "Francesca Bianca Claire Amelie Juliette Margaux Celine Manon Heloise Greta Lena Anneke Marieke Femke Saskia "
    "Liesbeth Aoife Niamh Siobhan Ciara Orla Fiona Catriona Isla Eilidh Rhiannon Carys Bronwyn Emily Grace Hannah "
    "Rachel Megan Abigail Olivia Charlotte Harriet Poppy Imogen Beth Nicole Brittany Kayla Destiny Jasmine Tanisha "
    "Keisha Latoya Imani Monique Denise Joan Ruth Edith Agnes Doris Wanda Linda Deborah Caroline Melanie Audrey "
    "Joanna Evelyn Heather Kavita Anjali Deepa Lakshmi Meera Sunita Shreya Ananya Divya Nisha Roshni Tahmina "
    "Farzana Nasreen Sadia Hina Thandiwe Nomsa Lerato Zanele Adwoa Akosua Abena Efua Wanjiru Njeri Achieng Makena "
    "Selam Hiwot Aster Sakura Haruka Aiko Naomi Emi Ji-woo Soo-jin Min-ji Hye-jin Xiaoling Lihua Jing Ying Wei-ting "
    "Siew-ling Linh Thuy Huong Lan Ploy Siriporn Dewi Putri Siti Maria Luz Rosario Malia Leilani Moana Aroha Tui "
    "Elif Zeynep Ayse Defne Eleni Despina Katerina Ilinca Ioana Dragana Milica Jelena Petra Katarina Zuzana Eszter "
    "Ilona Aino Helmi Kaisa Liina Ieva Ruta Svetlana Irina Anastasia Daria Nino Tamta Ani Lusine Gulnara Aigerim "
    "Saule Kimberly Tiffany Stacy Paige Brooke Sienna Willow Hazel Ivy Juno Bea Dot Winnie"
).split()
MEN = (
    "Tom Ben Omar Hiro Kofi Diego Mateo Luca Marco Paolo Enzo Matteo Javier Pablo Alvaro Sergio Rafael Thiago Caio "
    "Joao Rui Duarte Pierre Luc Antoine Bastien Thierry Hugo Jonas Felix Lukas Florian Matthias Klaus Jan Pieter "
    "Sander Bram Joris Lars Magnus Erik Bjorn Sven Anders Mikkel Soren Eero Mikko Jukka Tomasz Pawel Krzysztof "
    "Jakub Ondrej Marek Petr Istvan Laszlo Zoltan Andrei Mihai Radu Ivan Dmitri Sergei Alexei Yuri Boris Mykola "
    "Taras Goran Marko Nikola Stefan Giorgos Nikos Yannis Kostas Emre Mehmet Kerem Burak Ali Hassan Karim Tariq "
    "Youssef Bilal Samir Rami Khaled Farid Reza Dariush Arash Kaveh Navid Avi Noam Eitan Moshe Uri Ravi Arjun "
    "Vikram Sanjay Rohan Nikhil Aditya Karthik Suresh Rahul Imran Faisal Usman Kamran Asif Tashi Tenzin Bishal Chen "
    "Wei Jun Hao Liang Ming Zhiyuan Kenji Takeshi Daichi Ren Haruto Satoshi Min-jun Dong-hyun Sung-ho Tae-yang Minh "
    "Duc Tuan Quang Somchai Niran Budi Agus Rizal Hafiz Jomar Crisanto Kwame Yaw Kojo Ebo Chidi Emeka Obinna Tunde "
    "Segun Femi Babajide Musa Sipho Thabo Themba Mandla Kamau Otieno Mwangi Juma Baraka Tesfaye Dawit Abel Jamal "
    "Malik Darnell Tyrone Marcus Deshawn Andre Terrence Jake Ethan Connor Dylan Logan Mason Tyler Cody Travis Wyatt "
    "Hank Earl Walter Harold Stanley Gerald Nigel Graham Alistair Angus Callum Hamish Ewan Rory Declan Cormac "
    "Padraig Eoin Finn Gareth Rhys Owen Dafydd Oliver Harry Freddie Archie Jasper Toby Rupert Miles Simon Adrian "
    "Julian Oscar Leo Max Theo Sam Nathan Isaac Caleb Elijah Josiah Tane Wiremu Manu Koa"
).split()

NAMES = tuple(dict.fromkeys((*WOMEN, *MEN)))
