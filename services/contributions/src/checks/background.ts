import { type BackgroundCheck, counted } from './check.js';

/** Finds earlier rejections of the same human. */
export const rejectedBefore: BackgroundCheck = ({ rejected }) =>
  rejected === 0
    ? undefined
    : {
        weight: Math.min(30, 10 + 5 * (rejected - 1)),
        text: `${counted(rejected, 'text')} of this human rejected before`,
      };

/** Finds the first contribution of a human. */
export const firstOfHuman: BackgroundCheck = ({ earlier }) =>
  earlier === 0 ? { weight: 5, text: 'the first contribution of this human' } : undefined;

/** Finds an agent that sends much. */
export const busyAgent: BackgroundCheck = ({ ofAgentToday }) =>
  ofAgentToday < 5
    ? undefined
    : {
        weight: ofAgentToday < 15 ? 8 : 15,
        text: `${counted(ofAgentToday, 'contribution')} of this agent in the 24 hours before`,
      };

/** Finds a text that is nearly equal to another one. */
export const nearDuplicate: BackgroundCheck = ({ nearest }) => {
  if (nearest === undefined || nearest.percent < 70) return undefined;
  const { percent, sameHuman } = nearest;
  const whose = sameHuman ? 'the same human' : 'another human';
  return { weight: sameHuman ? 20 : 35, text: `${percent} % the same as a text of ${whose}` };
};
