import type { Grammar } from '../grammar.ts';
import { inField, type SyntaxNode } from '../../syntax-tree.ts';

/** tree-sitter-javascript 0.25, tree-sitter-typescript 0.23 (also tsx). */
export const javascript: Grammar = {
  roles: {
    skip: 'comment regex_flags hash_bang_line type_annotation type_arguments type_alias_declaration interface_declaration function_signature decorator type_identifier',
    name: 'identifier this super import property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern',
    constant: 'number true false null undefined',
    string: 'string template_string',
    pattern: 'regex',
    fragment: 'string_fragment escape_sequence',
    member: 'member_expression',
    index: 'subscript_expression',
    call: 'call_expression',
    new: 'new_expression',
    binary: 'binary_expression',
    unary: 'unary_expression update_expression',
    wrapper: 'as_expression satisfies_expression non_null_expression await_expression',
    cast: 'type_assertion',
    assign: 'assignment_expression augmented_assignment_expression assignment_pattern object_assignment_pattern',
    declarator: 'variable_declarator',
    field: 'public_field_definition field_definition enum_assignment',
    conditional: 'ternary_expression',
    if: 'if_statement',
    loop: 'for_statement while_statement do_statement labeled_statement',
    'for-each': 'for_in_statement',
    switch: 'switch_statement',
    case: 'switch_case switch_default',
    try: 'try_statement',
    handler: 'catch_clause',
    function:
      'function_declaration function_expression generator_function generator_function_declaration arrow_function method_definition',
    class: 'class_declaration abstract_class_declaration class',
    list: 'array array_pattern',
    record: 'object object_pattern',
    spread: 'spread_element',
    pair: 'pair pair_pattern',
    yield: 'yield_expression',
    return: 'return_statement throw_statement',
    jump: 'break_statement continue_statement',
    import: 'import_statement',
  },
  concatOperators: ['+'],
  appendOperators: ['+='],
  coalesceOperators: ['??'],
  scalarTypes: /^(number|boolean|bigint)$/,
  // class-validator.
  validatedFields:
    /^@(?:Is(?:Int|Number|NumberString|UUID|In|Enum|Boolean|BooleanString|Date|DateString|ISO8601|Alphanumeric|Alpha|MongoId|Hexadecimal|IP|Positive|Hash)\b|Type\(\(\) => (?:Number|Date|Boolean)\)|Matches\(\s*\/\^(?:[^.\\[\]]|\\[dw]|\[[\w\\-]+\])*\$\/)/,
  recordsIterate: 'entries',
  indexesMembers: true,
  implicitReturn: false,
  selfName: 'this',
  exportedNames(source) {
    const lists = source.matchAll(
      /\b(?:export|module\.exports\s*=)\s*\{([^{}]*)\}|Object\.assign\(exports,\s*\{([^{}]*)\}/g,
    );
    const single = source.matchAll(
      /\bexport\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|class|const|let|var)?\s*(\w+)|exports(?:\.\w+)?\s*=\s*(?:async\s+)?(?:function\s*|class\s+|new\s+)?(\w+)/g,
    );
    return new Set([
      ...[...lists].flatMap(([, one, other]) => (one ?? other ?? '').match(/\w+/g) ?? []),
      ...[...single].map(([, one, other]) => one ?? other ?? ''),
    ]);
  },
  imports(node, text) {
    const source = inField(node, 'source');
    if (source === undefined) return [];
    const module = text(source).slice(1, -1);
    const found: [string, string][] = [];
    const walk = (part: SyntaxNode): void => {
      if (part.type === 'identifier') found.push([text(part), module]);
      else if (part.type === 'import_specifier') {
        const name = inField(part, 'name');
        if (name !== undefined) found.push([text(inField(part, 'alias') ?? name), `${module}.${text(name)}`]);
      } else if (part.field !== 'source') for (const child of part.children) walk(child);
    };
    walk(node);
    return found;
  },
};
