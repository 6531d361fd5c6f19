import type { Grammar } from '../grammar.ts';
import { inField, type SyntaxNode } from '../../syntax-tree.ts';

/** tree-sitter-go. */
export const go: Grammar = {
  roles: {
    skip: 'comment package_clause type_identifier pointer_type qualified_type slice_type map_type generic_type type_arguments label_name array_type function_type interface_type struct_type',
    name: 'identifier package_identifier field_identifier blank_identifier',
    constant: 'int_literal float_literal imaginary_literal rune_literal true false nil iota',
    string: 'interpreted_string_literal raw_string_literal',
    fragment: 'interpreted_string_literal_content raw_string_literal_content escape_sequence',
    member: 'selector_expression',
    index: 'index_expression',
    call: 'call_expression',
    binary: 'binary_expression',
    unary: 'unary_expression inc_statement dec_statement',
    cast: 'type_conversion_expression',
    wrapper: 'type_assertion_expression',
    slice: 'slice_expression',
    spread: 'variadic_argument',
    'type-spec': 'type_spec',
    assign: 'short_var_declaration assignment_statement receive_statement',
    declarator: 'var_spec const_spec',
    if: 'if_statement',
    loop: 'for_statement labeled_statement',
    'range-clause': 'range_clause',
    switch: 'expression_switch_statement type_switch_statement select_statement',
    case: 'expression_case default_case type_case communication_case',
    function: 'function_declaration method_declaration func_literal',
    'composite-literal': 'composite_literal',
    list: 'expression_list',
    pair: 'keyed_element',
    return: 'return_statement',
    jump: 'break_statement continue_statement goto_statement',
    'channel-send': 'send_statement',
    import: 'import_declaration',
  },
  concatOperators: ['+'],
  appendOperators: ['+='],
  coalesceOperators: [],
  scalarTypes: /^(u?int(8|16|32|64)?|float(32|64)|bool|byte|rune|uuid\.UUID|time\.\w+)$/,
  implicitReturn: false,
  enforcesTypes: true,
  integerDivision: true,
  hasZeroValues: true,
  imports(node, text) {
    const found: [string, string][] = [];
    const walk = (part: SyntaxNode): void => {
      if (part.type !== 'import_spec') {
        for (const child of part.children) walk(child);
        return;
      }
      const path = inField(part, 'path');
      if (path === undefined) return;
      const segments = text(path).slice(1, -1).split('/');
      const last = segments.findLast((segment) => !/^v\d+$/.test(segment)) ?? '';
      const alias = inField(part, 'name');
      found.push([alias === undefined ? last : text(alias), last]);
    };
    walk(node);
    return found;
  },
};
