/** For each term, by number, the texts that have it. They are most of the memory of an index, so long lists are packed. */
export type TextLists = ReturnType<typeof createTextLists>;

/** A packed list of fewer texts needs more memory than an array. A longer one needs 4 bytes a text in place of 8. */
const longestPlain = 16;
const growth = 1.25;
const mostCounted = 255;

export function createTextLists() {
  /** An entry is the number of a text, and in the lower 8 bits how often it has the term. A packed list has room after its last one. */
  const lists: (number[] | Uint32Array)[] = [];
  const sizes: number[] = [];
  let entries = 0;

  return {
    /** The number of terms. */
    get length() {
      return lists.length;
    },

    /** How many texts the terms have together. */
    get entries() {
      return entries;
    },

    /** Adds a term, which no text has yet. Returns its number. */
    push() {
      sizes.push(0);
      return lists.push([]) - 1;
    },

    sizeOf: (term: number) => sizes[term] ?? 0,

    add(term: number, text: number, count: number) {
      const size = sizes[term] ?? 0;
      let list = lists[term] ?? [];
      if (size === list.length && size >= longestPlain) {
        const packed = new Uint32Array(size * growth);
        packed.set(list);
        lists[term] = list = packed;
      }
      list[size] = text * 256 + Math.min(count, mostCounted);
      sizes[term] = size + 1;
      entries++;
    },

    remove(term: number, text: number) {
      const list = lists[term] ?? [];
      const last = (sizes[term] ?? 0) - 1;
      const at = list.findIndex((entry, place) => place <= last && entry >>> 8 === text);
      if (at < 0) return;
      list[at] = list[last] ?? 0;
      if (Array.isArray(list)) list.length = last;
      sizes[term] = last;
      entries--;
    },

    /** Tells each text of a term, and how often it has it. */
    forEach(term: number, note: (text: number, count: number) => void) {
      const list = lists[term] ?? [];
      const size = sizes[term] ?? 0;
      for (let at = 0; at < size; at++) {
        const entry = list[at] ?? 0;
        note(entry >>> 8, entry & mostCounted);
      }
    },
  };
}
