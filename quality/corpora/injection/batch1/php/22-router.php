<?php

$pages = [
    'home' => 'home.html',
    'team' => 'team.html',
    'jobs' => 'jobs.html',
];
$tools = ['uptime', 'df', 'free'];

$p = $_GET['p'] ?? 'home';
if (array_key_exists($p, $pages)) {
    readfile(__DIR__ . '/pages/' . $pages[$p]);
} else {
    readfile(__DIR__ . '/extra/' . $p);
}

$t = $_GET['tool'] ?? '';
if (in_array($t, $tools, true)) {
    echo '<pre>', shell_exec($t), '</pre>';
}

enum Panel: string
{
    case Left = 'left';
    case Right = 'right';
}

$panel = Panel::tryFrom($_GET['panel'] ?? '') ?? Panel::Left;
echo file_get_contents(__DIR__ . '/panels/' . $panel->value . '.html');
