<?php

class Profile
{
    public $id;
    public $nick;
    public $avatar = 'default.png';
    public $theme = 'light';

    public static function fromRequest(array $in): self
    {
        $p = new self();
        $p->id = (int) ($in['id'] ?? 0);
        $p->nick = (string) ($in['nick'] ?? '');
        if (!empty($in['avatar'])) {
            $p->avatar = $in['avatar'];
        }
        return $p;
    }
}

$profile = Profile::fromRequest($_POST);
$copy = clone $profile;

$pdo = new PDO('mysql:host=db;dbname=site', 'site', getenv('PW'));
$pdo->exec("UPDATE profile SET seen = NOW() WHERE id = {$profile->id}");
$pdo->exec("UPDATE profile SET nick = '{$profile->nick}' WHERE id = {$profile->id}");

$css = file_get_contents("/srv/themes/{$copy->theme}.css");
$img = fopen("/srv/avatars/{$copy->avatar}", 'rb');

echo strlen($css), "\n";
fpassthru($img);
