import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addReviewAnswer } from './answer.js';
import { addReviewApprove } from './approve.js';
import { addReviewClose } from './close.js';
import { addReviewList } from './list.js';
import { addReviewNext } from './next.js';
import { addReviewPublish } from './publish.js';
import { addReviewReject } from './reject.js';
import { addReviewRetract } from './retract.js';
import { addReviewShow } from './show.js';

/** `knowledge review …`, for moderators. */
export function addReviewCommands(program: Command, act: Act): void {
  const group = program.command('review').description('contributions: what waits, and what becomes of it');
  addReviewList(group, act);
  addReviewNext(group, act);
  addReviewShow(group, act);
  addReviewApprove(group, act);
  addReviewPublish(group, act);
  addReviewRetract(group, act);
  addReviewReject(group, act);
  addReviewAnswer(group, act);
  addReviewClose(group, act);
  addExamples(
    group,
    'review list',
    'review next',
    'review show ID',
    'review approve ID --publish',
    'review reject ID --reason "It is an advertisement."',
  );
}
