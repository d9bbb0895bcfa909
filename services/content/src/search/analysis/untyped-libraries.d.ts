declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: string): { stem(word: string): string } };
  export = snowball;
}

declare module '@nlpjs/lang-pl' {
  const polish: { StemmerPl: new () => { stemWord(word: string): string } };
  export = polish;
}

declare module 'stopword' {
  export const dan: string[];
  export const deu: string[];
  export const eng: string[];
  export const fin: string[];
  export const fra: string[];
  export const hun: string[];
  export const ita: string[];
  export const nld: string[];
  export const nob: string[];
  export const pol: string[];
  export const por: string[];
  export const ron: string[];
  export const rus: string[];
  export const spa: string[];
  export const swe: string[];
  export const tur: string[];
}
