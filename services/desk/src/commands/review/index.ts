import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addReviewAnswer } from './answer.js';
import { addReviewApprove } from './approve.js';
import { addReviewClose } from './close.js';
import { addReviewCount } from './count.js';
import { addReviewEdit } from './edit.js';
import { addReviewGroups } from './groups.js';
import { addReviewList } from './list.js';
import { addReviewNext } from './next.js';
import { addReviewNote } from './note.js';
import { addReviewPublish } from './publish.js';
import { addReviewReject } from './reject.js';
import { addReviewRejectGroup } from './reject-group.js';
import { addReviewReopen } from './reopen.js';
import { addReviewRequestChanges } from './request-changes.js';
import { addReviewRetract } from './retract.js';
import { addReviewShow } from './show.js';
import { addReviewUndo } from './undo.js';

/** Adds the commands `knowledge review …`, which moderators use. */
export function addReviewCommands(group: Command, handle: CommandHandler): void {
  addReviewList(group, handle);
  addReviewCount(group, handle);
  addReviewGroups(group, handle);
  addReviewNext(group, handle);
  addReviewShow(group, handle);
  addReviewApprove(group, handle);
  addReviewPublish(group, handle);
  addReviewRetract(group, handle);
  addReviewRequestChanges(group, handle);
  addReviewEdit(group, handle);
  addReviewReject(group, handle);
  addReviewRejectGroup(group, handle);
  addReviewReopen(group, handle);
  addReviewAnswer(group, handle);
  addReviewClose(group, handle);
  addReviewUndo(group, handle);
  addReviewNote(group, handle);
  addExamples(
    group,
    'review list',
    'review next',
    'review show ID',
    'review approve ID --publish',
    'review reject ID --reason "It is an advertisement."',
  );
}
