/** Estimates the number of terminal columns that a text needs. Wide characters need two. */
export function cellWidth(text: string): number {
  let count = 0;
  for (const character of text) count += wide.test(character) ? 2 : 1;
  return count;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;
