import type { Found, FoundRoom, FoundTexts } from '../index/found.js';

/**
 * Room for what one query finds. The next query uses it again, because new arrays for each term cost more than the scores
 * themselves. So nobody may look into the arrays after the query gave its room back; their lengths stay right.
 */
export class ScoreRoom implements FoundRoom {
  private readonly parts: Part[] = [];
  private used = 0;

  take(most: number): FoundTexts {
    let part = this.parts.at(-1);
    if (part === undefined || this.used + most > part.texts.length) {
      part = partFor(most);
      this.parts.push(part);
      this.used = 0;
    }
    const [start, end] = [this.used, this.used + most];
    return { texts: part.texts.subarray(start, end), scores: part.scores.subarray(start, end), count: 0 };
  }

  keep({ texts, scores, count }: FoundTexts): Pick<Found, 'texts' | 'scores'> {
    this.used += count;
    return { texts: texts.subarray(0, count), scores: scores.subarray(0, count) };
  }

  /** Ends the query. */
  giveBack(): void {
    for (const part of this.parts.splice(0))
      if (spare.length < mostSpare && part.texts.length === partSize) spare.push(part);
  }
}

type Part = Pick<Found, 'texts' | 'scores'>;

function partFor(most: number): Part {
  const known = most > partSize ? undefined : spare.pop();
  if (known !== undefined) return known;
  const size = Math.max(most, partSize);
  return { texts: new Uint32Array(size), scores: new Float32Array(size) };
}

/** A part needs 2 MB. */
const partSize = 2 ** 18;
/** A query of many frequent words needs some ten parts. */
const mostSpare = 12;
const spare: Part[] = [];
