import type { ScoredPostings } from './postings.js';

/**
 * Room for the scores of one query. The next query uses it again, because new arrays for each term cost more than the scores
 * themselves. So nobody may look into the arrays after the query gave its room back; their lengths stay right.
 */
export class ScoreRoom {
  private part = spare.pop() ?? createPart(leastRoom);
  private used = 0;

  /** Room for at most this many texts. */
  take(most: number): ScoredPostings {
    if (this.used + most > this.part.texts.length) {
      // Views of the old part keep it as long as they are used.
      this.part = createPart(Math.max(most, Math.min(2 * this.part.texts.length, largestRoom)));
      this.used = 0;
    }
    const { texts, scores } = this.part;
    const [start, end] = [this.used, this.used + most];
    return { texts: texts.subarray(start, end), scores: scores.subarray(start, end), count: 0 };
  }

  /** Keeps what was written, so that the next scores come after it. */
  keep({ texts, scores, count }: ScoredPostings): Pick<ScoredPostings, 'texts' | 'scores'> {
    this.used += count;
    return { texts: texts.subarray(0, count), scores: scores.subarray(0, count) };
  }

  /** Ends the query. */
  giveBack(): void {
    if (spare.length < mostSpare && this.part.texts.length <= largestRoom) spare.push(this.part);
  }
}

type Part = Pick<ScoredPostings, 'texts' | 'scores'>;

function createPart(size: number): Part {
  return { texts: new Uint32Array(size), scores: new Float64Array(size) };
}

const leastRoom = 2 ** 17;
/** The largest room that is used again needs 6 MB. */
const largestRoom = 2 ** 19;
const mostSpare = 2;
const spare: Part[] = [];
