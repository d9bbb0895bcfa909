declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: string): { stem(word: string): string } };
  export = snowball;
}

declare module '@nlpjs/lang-pl' {
  const polish: { StemmerPl: new () => { stemWord(word: string): string } };
  export = polish;
}

declare module 'stopword' {
  type Words = readonly string[];
  export const dan: Words;
  export const deu: Words;
  export const eng: Words;
  export const fin: Words;
  export const fra: Words;
  export const hun: Words;
  export const ita: Words;
  export const nld: Words;
  export const nob: Words;
  export const pol: Words;
  export const por: Words;
  export const ron: Words;
  export const rus: Words;
  export const spa: Words;
  export const swe: Words;
  export const tur: Words;
}
