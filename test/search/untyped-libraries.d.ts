declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: string): { stem(word: string): string } };
  export = snowball;
}

declare module 'stopword' {
  export const deu: string[];
  export const eng: string[];
  export const fra: string[];
  export const pol: string[];
  export const por: string[];
  export const ron: string[];
  export const rus: string[];
  export const spa: string[];
  export const tur: string[];
}
