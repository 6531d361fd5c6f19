import { NameTest } from './name-test.ts';
import { mergeTaints, NO_TAINT } from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import { flattenLists, propagate } from './propagation.ts';
import type { Value } from './value.ts';

/** Encodings whose result has letters, digits and few other characters alone. */
const ENCODER = new NameTest(
  /^(encodeToString|encodeBase64\w*|(?:urlsafe_|standard_)?b64encode|base64_encode|(?:strict_|urlsafe_)?encode64|ToBase64String|EncodeToString|btoa|bin2hex|hexlify|ToHexString\w*|encodeHex\w*|Base64UrlEncode|base64UrlEncode|encode_base64)$/,
);
/** Decodings: what was encoded or checked before may hold anything after them. */
const DECODER = new NameTest(
  /^(decodeBase64\w*|(?:urlsafe_|standard_)?b64decode|base64_decode|(?:strict_|urlsafe_)?decode64|FromBase64String|FromHexString|DecodeString|atob|hex2bin|unhexlify|fromhex|decodeHex|decodeBuffer|decodeURIComponent|decodeURI|unescape|unquote(?:_plus)?|(?:raw)?urldecode|html_entity_decode|htmlspecialchars_decode|(?:un|Un)escapeHTML|unescapeHtml\w*|htmlUnescape|UrlDecode|HtmlDecode|UnescapeDataString|(?:Query|Path)Unescape|decode_www_form_component|uri_unescape|unescape_uri|rawurldecode|Base64UrlDecode|decodeBase64String|url_decode|convert_uudecode|UnescapeString)$/,
);
/** Names of objects whose `encode` and `decode` are such. */
const CODING_NAME = /^(toString|from|encode|decode|Encode|Decode)$/;
const CODEC = /base64|encoder|decoder|\bhex\b|urldecoder|url_?decode|\benc\b|\bdec\b|b64/i;
const URL_CODEC = /url/i;
const NAMED_ENCODING = /^(base64|base64url|hex)$/i;
const UNESCAPING_RECEIVER =
  /(^|\.)(CGI|URI|Rack\.Utils|html|Uri|HttpUtility|WebUtility|urllib\.parse|url|querystring|qs|_|he)$/;

/** The result of a call that encodes or decodes; null: it does neither. */
export function encodingResult({ callee, receiver, args }: EvaluatedCall): Value | null {
  const qualified = callee.names[0] ?? '';
  const at = qualified.lastIndexOf('.');
  const name = qualified.slice(at + 1);
  const kind = kindOf(
    name,
    qualified.slice(0, Math.max(at, 0)),
    receiver,
    args.map(({ value }) => value),
  );
  if (kind === null) return null;
  const isData =
    receiver !== null &&
    (receiver.taint !== NO_TAINT ||
      receiver.hidden !== NO_TAINT ||
      receiver.text !== null ||
      receiver.unfollowed !== null);
  const values = args.filter(({ result }) => result === null).map(({ value }) => value);
  const whole = propagate(flattenLists(isData ? [receiver, ...values] : values));
  const all = mergeTaints([whole.taint, whole.hidden]);
  return kind === 'encode'
    ? { ...whole, taint: NO_TAINT, hidden: all, text: null, constant: undefined, unfollowed: null }
    : { ...whole, taint: all, hidden: NO_TAINT, isNormalizedPath: false, text: null, constant: undefined };
}

function kindOf(
  name: string,
  object: string,
  receiver: Value | null,
  values: readonly Value[],
): 'encode' | 'decode' | null {
  if (ENCODER.test(name)) return 'encode';
  if (DECODER.test(name) && (name !== 'unescape' || receiver === null || UNESCAPING_RECEIVER.test(object)))
    return 'decode';
  if (!CODING_NAME.test(name)) return null;
  const [first, second] = values;
  if (name === 'toString' && NAMED_ENCODING.test(first?.text ?? '')) return 'encode';
  if (name === 'from' && object.endsWith('Buffer') && NAMED_ENCODING.test(second?.text ?? '')) return 'decode';
  if (!/^(en|de)code$/i.test(name)) return null;
  const codec = [object, receiver?.typeName ?? '', ...(receiver?.names ?? [])].join(' ');
  if (!CODEC.test(codec)) return null;
  // `base64.b64encode(x).decode('ascii')` makes a text of bytes.
  if (/^decode$/i.test(name)) return /encode\w*(\(\))?$/i.test(object) ? null : 'decode';
  // `URLEncoder.encode` keeps quotes, and is a sanitizer of some kinds.
  return /^encode$/i.test(name) && !URL_CODEC.test(codec.replaceAll(/getUrlEncoder|Base64Url/gi, '')) ? 'encode' : null;
}
