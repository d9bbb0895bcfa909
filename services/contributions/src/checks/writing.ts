import { hiddenCharacters } from '@knowledge/runtime';
import { contactIn, plainSpelling } from '@knowledge/runtime/names';
import { comparedNames } from '@knowledge/runtime/product';
import { foldText, spaceless } from '../domain/search-terms.js';
import { counted, type TextCheck } from './check.js';

/** Finds texts in capital letters, and rows of exclamation marks. */
export const shouting: TextCheck = ({ words: text }) => {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (capitals >= 20 && capitals > small) return { weight: 10, text: 'most letters are capitals' };
  return /[!?¡¿！？]{4}/u.test(text) ? { weight: 5, text: 'a row of exclamation or question marks' } : undefined;
};

/** Finds a long text without a space in a script that has spaces, such as encoded data. */
export const noSpaces: TextCheck = ({ words }) => {
  for (const [run] of words.matchAll(/[^\s]{200,}/gu)) {
    const count = run.match(signs)?.length ?? 0;
    if (count * 2 < run.length) return { weight: 12, text: `${run.length} characters without a space` };
  }
  return undefined;
};

/** Finds words of two alphabets at once, and texts in another script than that of their language. */
export const foreignScript: TextCheck = ({ words: text, language }) => {
  const mixed = /\p{sc=Latin}[\p{sc=Cyrl}\p{sc=Grek}]|[\p{sc=Cyrl}\p{sc=Grek}]\p{sc=Latin}/u.exec(text);
  if (mixed !== null) return { weight: 20, text: 'a word with letters of two alphabets' };
  const script = lettersOf(language);
  if (script === undefined) return undefined;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(script)?.length ?? 0;
  if (letters < 20 || own * 2 >= letters) return undefined;
  return { weight: 10, text: `most letters are not of the script of its language, ${language}` };
};

/** The letters of the script of a language. */
function lettersOf(language: string) {
  try {
    const { script = '' } = new Intl.Locale(language).maximize();
    return new RegExp(
      `[${(several[script] ?? script).replace(/\w+,?/g, (name) => `\\p{sc=${name.replace(',', '')}}`)}]`,
      'gu',
    );
  } catch {
    // It is no language, or Node knows no letters of this script.
    return undefined;
  }
}

// Scripts that are written with letters of several alphabets.
const several: Readonly<Record<string, string>> = { Jpan: 'Han,Hira,Kana', Kore: 'Hang,Han', Hans: 'Han', Hant: 'Han' };

const signs = new RegExp(`[${spaceless}]`, 'gu');

/** Finds an address, a number or a handle in a title, which stands in lists and mails without its text. */
export const titleContact: TextCheck = ({ title }) => {
  const contact = contactIn(title ?? '');
  return contact === undefined ? undefined : { weight: 10, text: 'the title has an address, a number or a handle' };
};

/** Finds the same words again and again, with which a text wants to be the first of a search. */
export const stuffing: TextCheck = ({ words }) => {
  const all = foldText(words).match(pieces) ?? [];
  for (const [length, least] of [
    [6, 10],
    [3, 10],
    [2, 25],
  ] as const) {
    const times = new Map<string, number>();
    for (let at = 0; at + length <= all.length; at++) {
      const phrase = all.slice(at, at + length);
      // Signs of a script without spaces say less than words.
      if (length < 6 && phrase.some((piece) => sign.test(piece))) continue;
      const key = phrase.join(' ');
      times.set(key, (times.get(key) ?? 0) + 1);
    }
    const [phrase, most] = [...times].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0] as const);
    if (most >= least && most * length * 8 >= all.length)
      return { weight: 15, text: `the same words stand there ${counted(most, 'time')}: “${phrase.slice(0, 60)}”` };
  }
  return undefined;
};

const sign = new RegExp(`[${spaceless}]`, 'u');
const pieces = new RegExp(`[${spaceless}]|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Finds blanks in code that push what follows off the screen, to the side or down. */
export const padding: TextCheck = ({ tokens }) => {
  const codes = tokens.flatMap(({ type, content, children }) => [
    ...(/^(?:fence|code_block|source)$/.test(type) ? [content] : []),
    ...(children ?? []).filter(({ type }) => type === 'code_inline').map(({ content }) => content),
  ]);
  const longest = Math.max(
    0,
    // A tab is as wide as eight blanks.
    ...codes
      .flatMap((code) => code.replaceAll('\t', ' '.repeat(8)).match(/[\s\u2800]{81,}(?=\S)/gu) ?? [])
      .map(({ length }) => length),
  );
  return longest === 0 ? undefined : { weight: 20, text: `${longest} blanks in code push what follows off the screen` };
};

/** Finds what language models leave around a text that they hand in without reading it again. */
export const habits: TextCheck = ({ title, body, tokens }) => {
  const beginning = body.trimStart().slice(0, 600);
  const found = [
    /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]+);/i.test(title ?? '') ? 'an entity such as &amp; in the title' : undefined,
    tokens.length === 1 && tokens[0]?.type === 'fence' ? 'the whole text is one block of code' : undefined,
    /^(---|\+\+\+)[ \t]*\r?\n(?:[\w-]+[ \t]*[:=].{0,200}\r?\n)+\1/.test(beginning)
      ? 'front matter of a file'
      : undefined,
    isAnswer(beginning.slice(0, 160)) ? 'words of a model to its human' : undefined,
  ].filter((each) => each !== undefined);
  return found.length === 0 ? undefined : { weight: 10, text: found.join(', ') };
};

function isAnswer(beginning: string) {
  return /^\W*(?:(?:sure|certainly|of course|absolutely|okay|great)\b\W*)?(?:here(?: is|'s|’s)\b.{0,60}\b(?:you (?:asked|requested|wanted)|as requested|for you|draft)\b|as an ai\b)/i.test(
    beginning,
  );
}

/** Finds invisible characters. Many of them, or some that reorder a text or hide words in it, weigh more. */
export const hidden: TextCheck = (text) => {
  const found = comparedNames.flatMap((field) => hiddenCharacters(text[field] ?? '', most));
  const [first] = found;
  if (first === undefined) return undefined;
  const severe = found.length >= 5 || found.some((each) => /override|tag|embedding|isolate/.test(each.name));
  const many = found.length >= most ? `${most} or more hidden characters` : counted(found.length, 'hidden character');
  return { weight: severe ? 30 : 12, text: `${many}, the first is ${first.name}` };
};

const most = 50;

/** Finds HTML, scripts and data URLs, which a text about practice does not need. Readers never get them as markup. */
export const markup: TextCheck = ({ loose }) => {
  if (/\b(?:data:[a-z]+\/[a-z0-9.+-]+[;,]|javascript:|vbscript:)/i.test(loose)) {
    return { weight: 25, text: 'a link that carries data or a script in itself' };
  }
  const tag = /<\/?(?:script|iframe|object|embed|form|style|img|svg|a|meta|link|base|div|span|table)\b[^<>]{0,200}>/i;
  const found = tag.exec(loose)?.[0];
  if (found === undefined) return undefined;
  return { weight: /^<\/?(?:script|iframe|object|embed|form)/i.test(found) ? 25 : 10, text: 'HTML markup in the text' };
};

/** Finds reports, so that moderators read them before other inquiries. */
export const report: TextCheck = ({ purpose }) =>
  purpose === 'report' ? { weight: 10, text: 'a report of a problem with a published text' } : undefined;

/** Finds sentences that are addressed to language models, in some languages. Texts of people do not need them. */
export const toModels: TextCheck = ({ readable }) => {
  const forms = new Set([readable, plainSpelling(readable)]);
  return [...forms].some((form) => patterns.some((pattern) => pattern.test(form)))
    ? { weight: 30, text: 'a sentence that seems to instruct language models' }
    : undefined;
};

// Orders to forget other orders, in each language: a verb, and near it a word for orders.
const orders = [
  [
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|existing|all|any|your)\b`,
    String.raw`\b(?:instructions?|prompts?|guidelines|directives|rules|safeguards)\b`,
  ],
  ['ignorier|vergiss|vergesst|missachte|übergeh', 'anweisung|instruktion|vorgabe|befehl|prompt|regeln'],
  [String.raw`(?:ignore|oublie)[zr]? (?:toute?s|tous|les|tes|vos|ces)\b`, 'instructions|consignes|directives|règles'],
  ['ignor[ae]|olvid[ae]', 'instrucciones|indicaciones|reglas'],
  ['ignor[ai]|dimentica', 'istruzioni|indicazioni|regole'],
  ['ignor[ae]|esque[çc]', 'instruções|regras'],
  ['negeer|vergeet', 'instructies|opdrachten|regels'],
  ['ignoruj|zapomnij', 'instrukcj|polece|zasad'],
  ['talimat|yönerge|komut|kural', 'yok say|görmezden gel|unut|dikkate alma'],
  ['игнорируй|забудь', 'инструкц|указани|правил'],
  ['忽略|无视|忘记|忽視', '指令|指示|提示|规则|規則'],
  ['指示|命令|プロンプト|ルール', '無視|忘れ'],
  ['تجاهل|انس', 'التعليمات|الأوامر|القواعد'],
] as const;

const others = [
  String.raw`<\|(?:im_?start|im_?end|system|user|assistant|endoftext)|\[\/?INST\]`,
  String.raw`\b(?:reveal|print|repeat|show|output)\b.{0,20}\bsystem prompt\b`,
  String.raw`\b(?:attention|note|message|instructions?) (?:to|for) (?:all |any |the )?(?:ai|llms?|language models?|ai (?:agents?|assistants?))\b`,
  String.raw`\bif you(?:'re|’re| are) an? (?:ai|llm|language model)\b`,
  String.raw`\b(?:do not|don['’]t|never) (?:tell|inform|alert) (?:the |your )?(?:user|human|moderator)`,
  String.raw`\b(?:approve|publish|accept) this (?:text|story|reply|contribution|submission)\b`,
];

const patterns = [...orders.map(([verb, order]) => `(?:${verb}).{0,40}(?:${order})`), ...others].map(
  (pattern) => new RegExp(pattern, 'iu'),
);
