import { describe, expect, it } from 'vitest';
import { OpenTurns } from './give-back.js';

const turn = { id: 'a', turn: 7 };

describe('an open turn is due', () => {
  it('if it was open at every look for the whole time', () => {
    const watch = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) expect(watch.due([turn], at, at + 5)).toEqual([]);
    expect(watch.due([turn], 120, 125)).toEqual([turn]);
  });

  it('but not if another turn replaced it, or it was closed between two looks', () => {
    const watch = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) watch.due([turn], at, at);
    expect(watch.due([{ ...turn, turn: 8 }], 120, 120)).toEqual([]);
    expect(watch.due([turn], 160, 160)).toEqual([]);
  });

  it('only after the whole time again, if the process or the database stopped meanwhile', () => {
    const halted = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) halted.due([turn], at, at);
    expect(halted.due([turn], 1_000, 1_000)).toEqual([]);
    const waited = new OpenTurns(100, 50);
    for (const at of [0, 40, 80]) waited.due([turn], at, at);
    expect(waited.due([turn], 120, 1_000)).toEqual([]);
    expect(waited.due([turn], 1_040, 1_040)).toEqual([]);
  });
});
