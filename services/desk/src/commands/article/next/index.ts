import type { Command } from 'commander';
import type { CommandHandler } from '../../../command-handler.js';
import { addExamples } from '../../../global-options.js';
import { addNextDiff } from './diff.js';
import { addNextEnds } from './end.js';
import { addNextPublish } from './publish.js';
import { addNextPut } from './put.js';
import { addNextShow } from './show.js';

/** Adds the commands `article next …`: the draft of the next revision, which readers see only when it is published. */
export function addArticleNext(parent: Command, handle: CommandHandler): void {
  const group = parent
    .command('next')
    .description(
      'the draft of the next revision of an article that readers see: write, compare, publish now or at a time',
    );
  addNextShow(group, handle);
  addNextPut(group, handle);
  addNextDiff(group, handle);
  addNextPublish(group, handle);
  addNextEnds(group, handle);
  addExamples(
    group,
    'article next put rolling-out-sso.md --site org',
    'article next diff rolling-out-sso',
    'article next publish rolling-out-sso --at 2026-06-01T09:00:00Z --reason "with the release"',
  );
}
