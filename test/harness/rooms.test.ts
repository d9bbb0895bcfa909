import { expect, test } from 'vitest';
import { roomsInCircles } from './rooms.js';

test('finds no circle if files import only downwards', () => {
  expect(
    roomsInCircles([
      { from: 'a/src/app.ts', to: 'a/src/pages/page.ts' },
      { from: 'a/src/pages/page.ts', to: 'a/src/pages/parts/html.ts' },
      { from: 'a/src/pages/page.ts', to: 'a/src/config.ts' },
    ]),
  ).toEqual([]);
});

test('finds two folders that import each other, even if no two files do', () => {
  expect(
    roomsInCircles([
      { from: 'a/src/app.ts', to: 'a/src/pages/page.ts' },
      { from: 'a/src/pages/page.ts', to: 'a/src/routes/send.ts' },
      { from: 'a/src/routes/orientation.ts', to: 'a/src/pages/page.ts' },
    ]),
  ).toEqual(['a/src/pages -> a/src/routes', 'a/src/routes -> a/src/pages']);
});

test('finds a folder and a file that import each other through a third one', () => {
  expect(
    roomsInCircles([
      { from: 'a/src/commands/list.ts', to: 'a/src/desk.ts' },
      { from: 'a/src/desk.ts', to: 'a/src/import/put.ts' },
      { from: 'a/src/import/put.ts', to: 'a/src/commands/find.ts' },
    ]),
  ).toHaveLength(3);
});
