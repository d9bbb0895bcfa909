import type { TextCheck } from './check.js';

/** Finds sentences that are addressed to language models, in some languages. Texts of people do not need them. */
export const toModels: TextCheck = ({ readable }) => {
  return patterns.some((pattern) => pattern.test(readable))
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
