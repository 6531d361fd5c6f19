import type { Grammar } from '../grammar.ts';

/** tree-sitter-c-sharp 0.23. */
export const cSharp: Grammar = {
  roles: {
    skip: 'comment using_directive attribute_list modifier base_list interpolation_start interpolation_brace interpolation_format_clause interpolation_alignment_clause interpolation_quote implicit_type type_argument_list accessor_list raw_string_start raw_string_end array_rank_specifier type_parameter_list delegate_declaration array_type nullable_type',
    name: 'identifier this base generic_name qualified_name alias_qualified_name discard predefined_type',
    constant: 'integer_literal real_literal boolean_literal null_literal character_literal typeof_expression',
    string: 'string_literal verbatim_string_literal raw_string_literal interpolated_string_expression',
    fragment: 'string_literal_content string_content escape_sequence raw_string_content',
    member: 'member_access_expression conditional_access_expression',
    index: 'element_access_expression',
    call: 'invocation_expression',
    new: 'object_creation_expression implicit_object_creation_expression',
    binary: 'binary_expression',
    comparison: 'is_pattern_expression is_expression',
    unary: 'prefix_unary_expression',
    wrapper:
      'as_expression postfix_unary_expression await_expression yield_statement array_creation_expression checked_expression',
    cast: 'cast_expression',
    assign: 'assignment_expression',
    declaration: 'variable_declaration',
    declarator: 'variable_declarator declaration_expression',
    field: 'property_declaration',
    conditional: 'conditional_expression',
    if: 'if_statement',
    loop: 'for_statement while_statement do_statement',
    'for-each': 'foreach_statement',
    switch: 'switch_statement switch_expression',
    case: 'switch_section switch_expression_arm',
    try: 'try_statement',
    handler: 'catch_clause',
    function:
      'method_declaration constructor_declaration local_function_statement lambda_expression anonymous_method_expression',
    class: 'class_declaration struct_declaration record_declaration interface_declaration enum_declaration',
    list: 'initializer_expression tuple_expression collection_expression tuple_pattern element_binding_expression',
    opaque: 'anonymous_object_creation_expression',
    return: 'return_statement throw_statement throw_expression',
    jump: 'break_statement continue_statement',
  },
  concatOperators: ['+'],
  appendOperators: ['+='],
  coalesceOperators: ['??'],
  scalarTypes:
    /^(int|long|short|byte|uint|ulong|ushort|sbyte|float|double|decimal|bool|char|Guid|DateTime|DateOnly|DateTimeOffset|Int32|Int64|Boolean)\??$/,
  implicitReturn: false,
  implicitThis: true,
  imports: () => [],
};
