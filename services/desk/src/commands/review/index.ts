import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addReviewCount } from './count.js';
import { addAnswer, addDecision } from './decide.js';
import { addReviewEdit } from './edit.js';
import { addReviewGroups } from './groups.js';
import { addReviewList } from './list.js';
import { addReviewNext } from './next.js';
import { addReviewNote } from './note.js';
import { addReviewRejectGroup } from './reject-group.js';
import { addReviewShow } from './show.js';
import { addReviewUndo } from './undo.js';

/** Adds the commands `knowledge review …`, which moderators use. */
export function addReviewCommands(group: Command, handle: CommandHandler): void {
  addReviewList(group, handle);
  addReviewCount(group, handle);
  addReviewGroups(group, handle);
  addReviewNext(group, handle);
  addReviewShow(group, handle);
  addDecision(group, handle, 'approve');
  addDecision(group, handle, 'publish');
  addDecision(group, handle, 'retract');
  addDecision(group, handle, 'request_changes');
  addReviewEdit(group, handle);
  addDecision(group, handle, 'reject');
  addReviewRejectGroup(group, handle);
  addDecision(group, handle, 'reopen');
  addAnswer(group, handle);
  addDecision(group, handle, 'close');
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
