import type { TextCheck } from './check.js';

/** Finds sentences that are addressed to language models, in some languages. Texts of people do not need them. */
export const toModels: TextCheck = ({ readable }) => {
  return patterns.some((pattern) => pattern.test(readable))
    ? { weight: 30, text: 'a sentence that seems to instruct language models' }
    : undefined;
};

const earlier = '(?:previous|prior|above|earlier|preceding|existing|all|any|your)';
const patterns: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass)\\b.{0,30}\\b${earlier}\\b.{0,20}\\b(?:instructions?|prompts?|guidelines|directives|rules|safeguards)\\b`,
    'iu',
  ),
  /(?:ignorier|vergiss|vergesst|missachte|übergeh).{0,40}(?:anweisung|instruktion|vorgabe|befehl|prompt|regeln)/iu,
  /(?:ignore|oublie)[zr]? (?:toute?s|tous|les|tes|vos|ces)\b.{0,30}(?:instructions|consignes|directives|règles)/iu,
  /(?:ignor[ae]|olvid[ae]).{0,40}(?:instrucciones|indicaciones|reglas)/iu,
  /(?:ignor[ai]|dimentica).{0,40}(?:istruzioni|indicazioni|regole)/iu,
  /(?:ignor[ae]|esque[çc]).{0,40}(?:instruções|regras)/iu,
  /(?:negeer|vergeet).{0,40}(?:instructies|opdrachten|regels)/iu,
  /(?:ignoruj|zapomnij).{0,40}(?:instrukcj|polece|zasad)/iu,
  /(?:talimat|yönerge|komut|kural).{0,40}(?:yok say|görmezden gel|unut|dikkate alma)/iu,
  /(?:игнорируй|забудь).{0,40}(?:инструкц|указани|правил)/iu,
  /(?:忽略|无视|忘记|忽視).{0,20}(?:指令|指示|提示|规则|規則)/u,
  /(?:指示|命令|プロンプト|ルール).{0,20}(?:無視|忘れ)/u,
  /(?:تجاهل|انس).{0,30}(?:التعليمات|الأوامر|القواعد)/u,
  /<\|(?:im_?start|im_?end|system|user|assistant|endoftext)|\[\/?INST\]/iu,
  /\b(?:reveal|print|repeat|show|output)\b.{0,20}\bsystem prompt\b/iu,
  /\b(?:attention|note|message|instructions?) (?:to|for) (?:all |any |the )?(?:ai|llms?|language models?|ai (?:agents?|assistants?))\b/iu,
  /\bif you(?:'re|’re| are) an? (?:ai|llm|language model)\b/iu,
  /\b(?:do not|don['’]t|never) (?:tell|inform|alert) (?:the |your )?(?:user|human|moderator)/iu,
  /\b(?:approve|publish|accept) this (?:text|story|reply|contribution|submission)\b/iu,
];
