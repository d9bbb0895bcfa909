import stopword from 'stopword';
import { fold } from './words.js';

const questions = wordsByLanguage({
  de: `wann warum weshalb wieso wer wem wen wessen wo woher wohin womit wofür wodurch wie wieviel wieviele welche welcher welches
    welchem welchen bitte soll sollen sollte sollten kann können könnte darf dürfen muss müssen möchte gibt
    wobei wogegen wonach woran worauf woraus worin worüber worum wovon wovor wozu heißt heißen hieß nennt nennen genannt lautet`,
  en: 'who whom whose what which when where why how please should would could can must might shall may its not nor',
  es: `quién quien quiénes cuál cuáles qué cuándo cuando dónde donde adónde cómo como cuánto cuánta cuántos cuántas cuanto porqué
    debe deben debería puede pueden hay llama llaman`,
  fr: `qui que quoi quel quelle quels quelles quand où comment combien pourquoi lequel laquelle doit doivent devrait peut peuvent
    faut appelle appellent`,
  pl: `kto kogo komu kim co czego czemu czym kiedy gdzie skąd dokąd jak jaki jaka jakie jakich ile ilu dlaczego czy który która
    które trzeba można należy powinien powinna powinno może mogą nazywa nazywają`,
});

/** The languages whose question words are known. */
export const questionLanguages = [...questions.keys()];

// Among them are numbers, times, verbs of searching, and words for those who are asked, such as people and experiences.
const common = wordsByLanguage({
  de: `finden findet fand gefunden sucht suchen gesucht benutzen benutzt verwenden verwendet weiß wissen wollen will zeigt zeit zeiten
    oft häufig immer nie niemals andere anderen anderer anderes falsch richtig ging gingen gab jemand niemand etwas braucht
    brauche brauchen machen gemacht wirklich viele wenige leute sagen sagt denken erfahrung erfahrungen gute guter gutes gut beste
    mensch chef fragt fragen löst lösen gelöst besten bester bestes zwei drei vier fünf sechs sieben acht neun zehn zwanzig hundert tausend erste ersten erster erstes tage
    tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minute minuten`,
  en: `find finds finding found look looks looking know knows known want wants use uses used using try tries tried show shows time times
    often always never sometimes usually other others another went gone going wrong right anyone someone anybody somebody everybody
    nobody everyone human humans boss asks asked solve solves solved handle handles handled deal deals dealt anything something everything nothing many much need needs tell happens happen happened really actually ever
    give gives get gets make makes made thing things way ways people say says said think experience experiences good best two three
    four five six seven eight nine ten twenty hundred thousand first day days week weeks month months year years hour hours minute
    minutes`,
  es: `encontrar encuentra buscar busca busco usar usa usan utilizar utiliza saber sabe quiero quiere tiempo
    siempre nunca menudo otro otra otros otras mal bien alguien nadie algo nada hacer hace hizo muchos muchas gente dice dicen
    humano jefe pregunta preguntan resolver resuelto resolvieron opina opinan experiencia experiencias mejor mejores dos tres cuatro cinco seis siete ocho nueve diez veinte cien mil primer
    primero primera primeros primeras día días semana semanas mes meses año años hora horas minuto minutos`,
  fr: `trouver trouve cherche chercher utiliser utilise utilisent savoir sait veux veut temps
    souvent toujours jamais autre autres mal bien quelque personne rien faire fait beaucoup gens dit disent pense pensent
    humain patron chef demande demandent résoudre résolu expérience expériences meilleur meilleure meilleurs deux trois quatre cinq huit neuf dix vingt cent mille premier première
    premiers premières jour jours semaine semaines mois année années heure heures minute minutes`,
  pl: `znaleźć znajduje szukać szukam używać używa używają wiedzieć wie chcę chce czas czasu
    często zawsze nigdy inny inna inne innych źle dobrze ktoś nikt coś nic robić zrobić wiele dużo ludzie ludzi mówią mówi
    człowiek szef pyta pytają rozwiązać rozwiązali doświadczenie doświadczenia najlepszy najlepsza najlepsze dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć
    dwadzieścia sto pierwszy pierwsza pierwsze dzień dni tydzień tygodnie tygodni miesiąc miesiące miesięcy rok lata lat godzina
    godziny godzin minuta minuty minut`,
});

/** Folded words by language. */
function wordsByLanguage(
  lists: Readonly<Record<string, string>>,
  wordsOf = (list: string): readonly string[] => list.split(/\s+/),
) {
  return new Map(
    Object.entries(lists).map(([language, list]) => [
      language,
      new Set(wordsOf(list).map((word) => fold(word.toLowerCase()))),
    ]),
  );
}

/** The lists of the library. */
const listNames = {
  da: 'dan',
  de: 'deu',
  en: 'eng',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  hu: 'hun',
  it: 'ita',
  nl: 'nld',
  no: 'nob',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sv: 'swe',
  tr: 'tur',
};

const stopWords = wordsByLanguage(listNames, (name) => stopword[name] ?? []);

/** The languages whose stop words are known. */
export const stopWordLanguages = [...stopWords.keys()];

/** Whether a word is so frequent in the language that it says nothing about a text. */
export const isStopWord = isAmong(stopWords);

/** Whether a word asks something. In a query it says nothing about the answer; texts keep it, since a phrase may need it. */
export const isQuestionWord = isAmong(questions);

/** Whether a word of a query stands in texts about anything, so that it says little about the answer. */
export const isCommonWord = isAmong(common);

function isAmong(lists: ReturnType<typeof wordsByLanguage>) {
  return (word: string, language: string) => lists.get(language || 'en')?.has(fold(word)) ?? false;
}
