import { expect, it } from 'vitest';
import { zipOf } from './files.js';

it('takes files only as fast as somebody reads, and no more after the reader left', async () => {
  let taken = 0;
  let ended: () => void;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  async function* endless() {
    try {
      for (;;) yield { path: `org/a${++taken}.md`, text: 'x'.repeat(100_000) };
    } finally {
      ended();
    }
  }
  const zip = zipOf(endless());
  for await (const chunk of zip) {
    expect(chunk.length).toBeLessThanOrEqual(100_000);
    if (taken > 20) break;
  }
  await end;
  expect(taken).toBeLessThan(30);
});
