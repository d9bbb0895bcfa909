import { expect, it } from 'vitest';
import { ScoreRoom } from './score-room.js';

function write(room: ScoreRoom, most: number, texts: readonly number[]) {
  const into = room.take(most);
  for (const text of texts) {
    into.texts[into.count] = text;
    into.scores[into.count++] = text / 2;
  }
  return room.keep(into);
}

it('keeps the scores of each term apart, however many there are', () => {
  const room = new ScoreRoom();
  const texts = Array.from({ length: 400 }, (_, at) => at);
  const found = Array.from({ length: 40 }, (_, term) => write(room, 100_000, texts.slice(0, 10 * term)));
  for (const [term, { texts: own, scores }] of found.entries()) {
    expect(own).toEqual(Uint32Array.from(texts.slice(0, 10 * term)));
    expect(scores).toEqual(Float32Array.from(texts.slice(0, 10 * term), (text) => text / 2));
  }
  room.giveBack();
});

it('gives no room to two queries at the same time, and uses it again', () => {
  const [one, other] = [new ScoreRoom(), new ScoreRoom()];
  const first = write(one, 3, [1, 2, 3]);
  write(other, 3, [4, 5, 6]);
  expect(first.texts).toEqual(Uint32Array.of(1, 2, 3));
  one.giveBack();
  const again = write(new ScoreRoom(), 1, [7]);
  expect(again.texts.buffer).toBe(first.texts.buffer);
  expect(first.texts).toHaveLength(3);
});
