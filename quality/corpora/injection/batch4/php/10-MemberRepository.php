<?php

namespace App\Member;

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Routing\Attribute\Route;

enum JoinedOrder: string
{
    case Newest = 'joined_at DESC';
    case Oldest = 'joined_at ASC';
}

final class MemberRepository
{
    public function __construct(private readonly EntityManagerInterface $em)
    {
    }

    public function search(iterable $criteria): array
    {
        $qb = $this->em->createQueryBuilder()->select('m')->from(Member::class, 'm');
        $n = 0;
        foreach ($criteria as $field => $value) {
            $qb->andWhere("m.$field = ?" . ++$n)->setParameter($n, $value);
        }
        return $qb->getQuery()->getArrayResult();
    }

    public function byIds(array $ids, string $order): array
    {
        $sort = JoinedOrder::tryFrom($order) ?? JoinedOrder::Newest;
        return $this->em->getConnection()->executeQuery(
            'SELECT id, name FROM member WHERE id IN (?) ORDER BY ' . $sort->value,
            [$ids],
            [ArrayParameterType::INTEGER],
        )->fetchAllAssociative();
    }

    public function byEmail(string $email): array|false
    {
        $conn = $this->em->getConnection();
        return $conn->fetchAssociative('SELECT * FROM member WHERE email = ' . $conn->quote($email));
    }

    public function joinedBetween(string ...$range): array
    {
        [$from, $until] = array_map(fn (string $day) => "'" . $day . "'", $range);
        $sql = 'SELECT COUNT(*) AS n, country FROM member WHERE joined_at BETWEEN %s AND %s GROUP BY country';
        return $this->em->getConnection()->fetchAllAssociative(sprintf($sql, $from, $until));
    }
}

final class MemberController
{
    public function __construct(private readonly MemberRepository $members)
    {
    }

    #[Route('/api/members/search')]
    public function search(Request $request): JsonResponse
    {
        return new JsonResponse($this->members->search($request->query->all('filter')));
    }

    #[Route('/api/members')]
    public function index(Request $request): JsonResponse
    {
        $query = $request->query;
        return new JsonResponse(match (true) {
            $query->has('ids') => $this->members->byIds($query->all('ids'), $query->getString('order')),
            $query->has('email') => $this->members->byEmail($query->getString('email')),
            default => $this->members->joinedBetween($query->getString('from'), $query->getString('until')),
        });
    }
}
