declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: string): { stem(word: string): string } };
  export = snowball;
}

declare module '@nlpjs/lang-pl' {
  const polish: { StemmerPl: new () => { stemWord(word: string): string } };
  export = polish;
}

declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export = lists;
}
