<?php

function load_block(string $name): string
{
    if (preg_match('~[/\\\\]~', $name) || $name[0] === '.') {
        return '';
    }
    return (string) file_get_contents('/srv/blocks/' . $name);
}

function load_widget(string $name): string
{
    if (strpos($name, '../') === 0) {
        return '';
    }
    return (string) file_get_contents('/srv/widgets/' . $name);
}

function load_footer(string $name): string
{
    if ($name !== 'wide') {
        $name = 'narrow';
    }
    return (string) file_get_contents('/srv/footers/' . $name . '.html');
}

echo load_block($_GET['block'] ?: 'main');
foreach (explode(',', $_GET['widgets']) as $w) {
    echo load_widget($w);
}
echo load_footer($_GET['footer'] ?? '');
