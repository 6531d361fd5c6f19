<?php

declare(strict_types=1);

namespace App\Votes;

use Ramsey\Uuid\Uuid;

enum Round: string
{
    case First = 'first';
    case Second = 'second';
}

final class Votes
{
    public function __construct(private \mysqli $db)
    {
    }

    public function count(string $round): int
    {
        $r = Round::from($round);
        $res = $this->db->query("SELECT COUNT(*) FROM votes_{$r->value}");
        return (int) $res->fetch_row()[0];
    }

    public function ballot(string $id): string
    {
        $uuid = Uuid::fromString($id)->toString();
        return file_get_contents("/srv/ballots/$uuid.xml");
    }
}

$votes = new Votes(new \mysqli('db', 'votes', getenv('PW'), 'votes'));
echo $votes->count($_GET['round']), "\n", $votes->ballot($_GET['ballot']);
