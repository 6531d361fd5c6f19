const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 does not allow, not even escaped; all controls but tab and line ends; marks that change the direction of text. */
const NOT_FOR_XML =
  // oxlint-disable-next-line no-control-regex -- these are the characters to replace
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text as the content of an element of XML 1.0; what is not for XML is U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_FOR_XML, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Text as the value of an attribute of XML 1.0, in which line ends and tabs are spaces. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, ' ');
}
