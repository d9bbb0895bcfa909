import { describe, expect, it } from 'vitest';
import { OpenTurns } from './give-back.js';

const turn = { id: 'a', turn: 7 };

describe('when an open turn is due', () => {
  it('when it was seen open for the whole time', () => {
    const watch = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) expect(watch.due([turn], at, at + 5)).toEqual([]);
    expect(watch.due([turn], 120, 125)).toEqual([turn]);
  });

  it('not when another turn took its place, or it was gone in between', () => {
    const watch = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) watch.due([turn], at, at);
    expect(watch.due([{ ...turn, turn: 8 }], 120, 120)).toEqual([]);
    expect(watch.due([turn], 160, 160)).toEqual([]);
  });

  it('begins anew after a halt of the process, or of the database during a look', () => {
    const halted = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) halted.due([turn], at, at);
    expect(halted.due([turn], 1_000, 1_000)).toEqual([]);
    const waited = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) waited.due([turn], at, at);
    expect(waited.due([turn], 120, 1_000)).toEqual([]);
    expect(waited.due([turn], 1_040, 1_040)).toEqual([]);
  });
});
