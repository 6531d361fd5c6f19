using System.IO.Compression;
using MassTransit;
using Microsoft.Data.SqlClient;

namespace Partners.Import;

public record ImportRequested(Guid ImportId, byte[] Payload, string Table);

public record ImportVerified(Guid ImportId, byte[] Payload, string Table);

public class ImportConsumer : IConsumer<ImportRequested>, IConsumer<ImportVerified>
{
    private const string Inbox = "/var/partners/inbox";
    private static readonly HashSet<string> Tables = new() { "prices", "stock", "suppliers" };

    private readonly SqlConnection _connection;

    public ImportConsumer(SqlConnection connection) => _connection = connection;

    public async Task Consume(ConsumeContext<ImportRequested> context)
    {
        var message = context.Message;
        foreach (var (entry, target) in Targets(message.Payload))
        {
            entry.ExtractToFile(target, overwrite: true);
        }
        await Load(message.Table, message.ImportId);
    }

    private static IEnumerable<(ZipArchiveEntry Entry, string Target)> Targets(byte[] payload)
    {
        using var archive = new ZipArchive(new MemoryStream(payload));
        foreach (var entry in archive.Entries)
        {
            if (entry.Name.Length == 0)
                continue;
            yield return (entry, Path.Combine(Inbox, entry.FullName));
        }
    }

    private async Task Load(string table, Guid importId)
    {
        var sql = $"BULK INSERT {table} FROM '/var/partners/staging/{importId:N}.csv' WITH (FORMAT = 'CSV')";
        await using var command = new SqlCommand(sql, _connection);
        await command.ExecuteNonQueryAsync();
    }

    public async Task Consume(ConsumeContext<ImportVerified> context)
    {
        var (importId, payload, table) = context.Message;
        using var archive = new ZipArchive(new MemoryStream(payload));
        foreach (var entry in archive.Entries.Where(e => e.Name.Length > 0))
        {
            var target = Path.GetFullPath(Path.Combine(Inbox, entry.FullName));
            if (!target.StartsWith(Inbox + "/", StringComparison.Ordinal))
                throw new InvalidDataException(importId.ToString());
            entry.ExtractToFile(target, overwrite: true);
        }
        if (!Tables.Contains(table))
            return;
        await using var command = new SqlCommand("TRUNCATE TABLE " + table, _connection);
        await command.ExecuteNonQueryAsync();
    }
}
