import { setFlagsFromString } from 'node:v8';

/** Keeps V8's space for young objects at its first size. */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the young space grow, as V8 does by default. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
