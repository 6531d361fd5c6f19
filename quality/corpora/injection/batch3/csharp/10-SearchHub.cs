using Microsoft.AspNetCore.SignalR;
using MySqlConnector;

namespace Search;

public interface ITextFilter
{
    string Sql(string input);
}

public sealed class PrefixFilter : ITextFilter
{
    public string Sql(string input) => $"title LIKE '{input}%'";
}

public sealed class LengthFilter : ITextFilter
{
    public string Sql(string input) => $"CHAR_LENGTH(title) > {int.Parse(input)}";
}

public abstract class SearchHubBase(MySqlDataSource source) : Hub
{
    protected async Task<long> Count(string text)
    {
        await using var cmd = source.CreateCommand("SELECT COUNT(*) FROM film WHERE " + text);
        return (long)(await cmd.ExecuteScalarAsync() ?? 0L);
    }
}

public sealed class SearchHub(MySqlDataSource source) : SearchHubBase(source)
{
    private readonly ITextFilter _prefix = new PrefixFilter();
    private readonly LengthFilter _length = new();
    private readonly MySqlDataSource _source = source;

    public Task<long> StartingWith(string text) => Count(_prefix.Sql(text));

    public async Task<long> LongerThan(string text)
    {
        await using var cmd = _source.CreateCommand("SELECT COUNT(*) FROM film WHERE " + _length.Sql(text));
        return (long)(await cmd.ExecuteScalarAsync() ?? 0L);
    }

    public async Task Rate(string title, int stars)
    {
        await using var cmd = _source.CreateCommand("UPDATE film SET stars = @s WHERE title = @t");
        cmd.Parameters.AddWithValue("@s", stars);
        cmd.Parameters.AddWithValue("@t", title);
        await cmd.ExecuteNonQueryAsync();
    }

    public async Task Hide(string title)
    {
        await using var cmd = _source.CreateCommand("UPDATE film SET hidden = 1 WHERE " + _prefix.Sql(title));
        await cmd.ExecuteNonQueryAsync();
    }
}
