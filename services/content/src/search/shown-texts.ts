import { setImmediate } from 'node:timers/promises';
import type { Compounds } from './analysis/compounds.js';
import { analyseBlocks, longestShown } from './index/analysed-blocks.js';
import type { PublishedTexts, SettledIndex } from './index/ports.js';
import { type Gloss, type PublishedText, searchFactsOf, searchTextOf, type TextKey } from './index/search-text.js';
import type { KnownText, KnownTexts } from './known-texts.js';
import { createTextParts, type TextParts } from './ranking/text-parts.js';

/** A found text with what its hit shows. */
export interface ShownText extends KnownText {
  readonly parts: TextParts;
}

export interface ShownTexts {
  /** Reads texts. What was withdrawn since is left out, so that nothing is shown that readers may not see. */
  read(keys: readonly TextKey[], from: ShownFrom, signal: AbortSignal): Promise<ReadonlyMap<TextKey, ShownText>>;
}

interface ShownFrom {
  readonly index: Pick<SettledIndex, 'blocks'>;
  readonly compounds: Compounds;
}

/** Reads what hits show. It remembers the words of the texts that are shown most, within a number of bytes. */
export function createShownTexts(
  texts: Pick<PublishedTexts, 'read'>,
  knownTexts: Pick<KnownTexts, 'read'>,
  maxBytes: number,
): ShownTexts {
  const parts = createTextParts(maxBytes);

  /** Finds the words of a body that the index does not keep in this revision. */
  const analyse = async (text: PublishedText, gloss: Gloss | undefined, compounds: Compounds): Promise<ShownText> => {
    // Lets other calls run, since a long body takes some milliseconds.
    await setImmediate();
    const { body, ...facts } = searchTextOf(text, gloss);
    const blocks = analyseBlocks({ language: facts.language, body: body.slice(0, longestShown) }, compounds);
    return { text, gloss, parts: parts.read(facts, blocks, compounds) };
  };

  return {
    async read(keys, { index, compounds }, signal) {
      if (keys.length === 0) return new Map();
      const unknown = keys.filter((key) => !parts.has(key));
      const [found, blocksOf] = await Promise.all([knownTexts.read(keys, signal), index.blocks(unknown, signal)]);
      const shown = new Map<TextKey, ShownText>();
      const missing = new Map<TextKey, Gloss | undefined>();
      for (const { text, gloss } of found) {
        const { key } = text;
        const facts = searchFactsOf(text, gloss);
        const kept = blocksOf.get(key);
        const known = parts.known(facts, compounds);
        if (known !== undefined) shown.set(key, { text, gloss, parts: known });
        else if (kept?.revision === facts.revision)
          shown.set(key, { text, gloss, parts: parts.read(facts, kept.blocks(), compounds) });
        else missing.set(key, gloss);
      }
      const whole = missing.size === 0 ? [] : await texts.read([...missing.keys()], signal);
      for (const text of whole) shown.set(text.key, await analyse(text, missing.get(text.key), compounds));
      return shown;
    },
  };
}
