using Dapper;
using FastEndpoints;
using Npgsql;

namespace Blog.Features.Tags;

public class TagRequest
{
    public List<string> Tags { get; set; } = new();
    public List<string> Ids { get; set; } = new();
}

public class TagsEndpoint : Endpoint<TagRequest, List<string>>
{
    private readonly NpgsqlDataSource _source;

    public TagsEndpoint(NpgsqlDataSource source) => _source = source;

    public override void Configure()
    {
        Post("/tags/posts");
        AllowAnonymous();
    }

    public override async Task HandleAsync(TagRequest req, CancellationToken ct)
    {
        await using var con = await _source.OpenConnectionAsync(ct);
        var titles = new List<string>();

        var quoted = string.Join(", ", req.Tags.Where(t => t.Length > 0).Select(t => $"'{t.Trim()}'"));
        titles.AddRange(await con.QueryAsync<string>($"SELECT title FROM post WHERE tag IN ({quoted})"));

        var ids = string.Join(",", from i in req.Ids select int.Parse(i));
        titles.AddRange(await con.QueryAsync<string>($"SELECT title FROM post WHERE id IN ({ids})"));

        titles.AddRange(await con.QueryAsync<string>("SELECT title FROM post WHERE tag = ANY(@Tags)", new { req.Tags }));

        var longest = req.Tags.OrderByDescending(t => t.Length).First();
        var n = await con.ExecuteScalarAsync<int>("SELECT count(*) FROM tag WHERE name = '" + longest + "'");
        titles.Add(n.ToString());

        await SendAsync(titles, cancellation: ct);
    }
}
