import { dan, deu, eng, fin, fra, hun, ita, nld, nob, pol, por, ron, rus, spa, swe, tur } from 'stopword';
import { fold } from './fold.js';

/** Whether a word is so frequent in the language that it says nothing about a text. */
export function isStopWord(word: string, language: string): boolean {
  return lists.get(language === '' ? 'en' : language)?.has(fold(word)) ?? false;
}

/** Whether a word asks something. In a query it says nothing about the answer; texts keep it, since a phrase may need it. */
export function isQuestionWord(word: string, language: string): boolean {
  return questions.get(language)?.has(fold(word)) ?? false;
}

/** Whether a word of a query stands in texts about anything, so that it says little about the answer. */
export function isCommonWord(word: string, language: string): boolean {
  return common.get(language)?.has(fold(word)) ?? false;
}

const questions = wordsByLanguage({
  de: `wann warum weshalb wieso wer wem wen wessen wo woher wohin womit wofür wodurch wie wieviel wieviele welche welcher welches
    welchem welchen bitte soll sollen sollte sollten kann können könnte darf dürfen muss müssen möchte gibt`,
  en: 'who whom whose what which when where why how please should would could can must might shall may its',
  es: `quién quien quiénes cuál cuáles qué cuándo cuando dónde donde adónde cómo como cuánto cuánta cuántos cuántas cuanto porqué
    debe deben debería puede pueden hay`,
  fr: `qui que quoi quel quelle quels quelles quand où comment combien pourquoi lequel laquelle doit doivent devrait peut peuvent
    faut`,
  pl: `kto kogo komu kim co czego czemu czym kiedy gdzie skąd dokąd jak jaki jaka jakie jakich ile ilu dlaczego czy który która
    które trzeba można należy powinien powinna powinno może mogą`,
});

const common = wordsByLanguage({
  de: `oft häufig immer nie niemals andere anderen anderer anderes falsch richtig ging gingen gab jemand niemand etwas braucht
    brauche brauchen machen gemacht wirklich viele wenige`,
  en: `often always never sometimes usually other others another went gone going wrong right anyone someone anybody somebody everybody
    nobody everyone anything something everything nothing many much need needs tell happens happen happened really actually ever
    give gives get gets make makes made thing things way ways`,
  es: 'siempre nunca menudo otro otra otros otras mal bien alguien nadie algo nada hacer hace hizo muchos muchas',
  fr: 'souvent toujours jamais autre autres mal bien quelque personne rien faire fait beaucoup',
  pl: 'często zawsze nigdy inny inna inne innych źle dobrze ktoś nikt coś nic robić zrobić wiele dużo',
});

function wordsByLanguage(lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(lists).map(([language, words]) => [language, new Set(words.split(/\s+/).map(fold))]));
}

const byLanguage = {
  ...{ da: dan, de: deu, en: eng, es: spa, fi: fin, fr: fra, hu: hun, it: ita, nl: nld, no: nob, pl: pol, pt: por },
  ...{ ro: ron, ru: rus, sv: swe, tr: tur },
};

const lists = new Map(
  Object.entries(byLanguage).map(([language, words]) => [
    language,
    new Set(words.map((word) => fold(word.toLowerCase()))),
  ]),
);
