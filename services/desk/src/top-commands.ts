import type { AddCommands } from './command-handler.js';

/** A command that stands directly after `knowledge`: a group such as `article`, or a command such as `status`. */
export interface TopCommand {
  readonly name: string;
  readonly description: string;
  /** What follows the name in the help of `knowledge`; nothing if absent. */
  readonly usage?: string;
  /** Loads the code of the command. */
  readonly load: () => Promise<AddCommands>;
}

/** All commands, in the order of the help. Their code is loaded only for a command line that names them. */
export const topCommands: readonly TopCommand[] = [
  {
    name: 'article',
    description: 'articles: import, list, show, history, restore, next, publish, archive, delete, export',
    load: async () => (await import('./commands/article.js')).article,
  },
  {
    name: 'highlight',
    description: "the articles that a site's editors put first",
    load: async () => (await import('./commands/highlight.js')).highlight,
  },
  {
    name: 'object',
    description: "the community catalog: what it shows, and the editors' own knowledge objects",
    load: async () => (await import('./commands/object.js')).object,
  },
  {
    name: 'synonym',
    description: 'words that mean the same to search: list, put, delete, import',
    load: async () => (await import('./commands/synonym.js')).synonym,
  },
  {
    name: 'gloss',
    description: 'English titles and summaries of texts in other languages, which search finds and shows',
    load: async () => (await import('./commands/gloss.js')).gloss,
  },
  {
    name: 'search',
    description: 'find published texts, and see what readers search for',
    load: async () => (await import('./commands/search.js')).search,
  },
  {
    name: 'prompt',
    description: 'community prompts; at most one is active on a site',
    load: async () => (await import('./commands/prompt.js')).prompt,
  },
  {
    name: 'review',
    description: 'contributions: read them, decide on them, publish them',
    load: async () => (await import('./commands/review/index.js')).review,
  },
  {
    name: 'reason',
    description: 'reasons that moderators choose: list, put, delete, import',
    load: async () => (await import('./commands/reason.js')).reason,
  },
  {
    name: 'token',
    description: 'the tokens that agents hold for a verified e-mail',
    load: async () => (await import('./commands/token.js')).token,
  },
  {
    name: 'authorization',
    description: 'requests of agents to act for humans, and the decisions',
    load: async () => (await import('./commands/authorization.js')).authorization,
  },
  {
    name: 'person',
    description: 'the data of a person: show it, export it, ask for its erasure',
    load: async () => (await import('./commands/person.js')).person,
  },
  {
    name: 'domain',
    description: 'mail domains: allow, limit or refuse requests for access to their mailboxes',
    load: async () => (await import('./commands/domain.js')).mailDomain,
  },
  {
    name: 'erasure',
    description: 'erasures of people, which a second staff member confirms',
    load: async () => (await import('./commands/erasure.js')).erasure,
  },
  {
    name: 'mail',
    description: 'mails that failed: list them with the words of the mail server, send them again',
    load: async () => (await import('./commands/mail.js')).mail,
  },
  {
    name: 'quota',
    description: 'allowances: what a reader or writer has left today',
    load: async () => (await import('./commands/quota.js')).quota,
  },
  {
    name: 'desk',
    description: 'the web desk: sign in to a local one, who works there, who is signed in',
    load: async () => (await import('./commands/desk.js')).desk,
  },
  {
    name: 'watch',
    usage: '[options]',
    description:
      'print every change of articles, highlights, objects, contributions, prompts, authorizations and tokens, one per line ' +
      '(JSON with --json). With --after it continues without loss or repetition. Ctrl-C ends it',
    load: async () => (await import('./commands/watch/index.js')).watch,
  },
  {
    name: 'status',
    description: 'show whether the services are up; exit code 1 if one is down',
    load: async () => (await import('./commands/status.js')).status,
  },
  {
    name: 'completion',
    usage: '<shell>',
    description: 'print the script that completes commands and options in your shell',
    load: async () => (await import('./commands/completion/index.js')).addCompletion,
  },
];
