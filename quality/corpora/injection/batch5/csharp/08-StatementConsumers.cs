using System.Data.Common;
using System.Diagnostics;
using MassTransit;

namespace Bank.Statements;

public record CloseAccount(string Iban, string Reason);
public record FreezeAccount(long AccountId, bool Notify);
public record RenderStatement(Guid StatementId, string Title, string Footer, string Html);

public abstract class SqlConsumer<T> : IConsumer<T> where T : class
{
    private readonly DbConnection _connection;

    protected SqlConsumer(DbConnection connection) => _connection = connection;

    protected abstract string Statement(T message);

    public async Task Consume(ConsumeContext<T> context)
    {
        await _connection.OpenAsync(context.CancellationToken);
        await using var command = _connection.CreateCommand();
        command.CommandText = Statement(context.Message);
        await command.ExecuteNonQueryAsync(context.CancellationToken);
    }
}

public class CloseAccountConsumer : SqlConsumer<CloseAccount>
{
    public CloseAccountConsumer(DbConnection connection) : base(connection) { }

    protected override string Statement(CloseAccount message)
    {
        var reason = message.Reason.Replace("'", "''");
        return $"UPDATE accounts SET closed = 1, reason = '{reason}' WHERE iban = '{message.Iban}'";
    }
}

public class FreezeAccountConsumer : SqlConsumer<FreezeAccount>
{
    public FreezeAccountConsumer(DbConnection connection) : base(connection) { }

    protected override string Statement(FreezeAccount message) =>
        $"UPDATE accounts SET frozen = 1, notify = {(message.Notify ? 1 : 0)} WHERE id = {message.AccountId}";
}

public class RenderStatementConsumer : IConsumer<RenderStatement>
{
    private const string Output = "/srv/statements";

    public async Task Consume(ConsumeContext<RenderStatement> context)
    {
        var message = context.Message;
        var html = Path.Combine(Output, $"{message.StatementId:N}.html");
        await File.WriteAllTextAsync(html, message.Html);
        await Print(message);
        var options = new List<string> { "--quiet" };
        if (!string.IsNullOrWhiteSpace(message.Footer))
            options.Add("--footer-center \"" + message.Footer + "\"");
        options.Add(html);
        options.Add(Path.ChangeExtension(html, ".pdf"));
        using var process = Process.Start(new ProcessStartInfo
        {
            FileName = "wkhtmltopdf",
            Arguments = string.Join(' ', options),
        })!;
        await process.WaitForExitAsync();
    }

    private static async Task Print(RenderStatement message)
    {
        var info = new ProcessStartInfo("lp");
        info.ArgumentList.Add("-t");
        info.ArgumentList.Add(message.Title);
        info.ArgumentList.Add("--");
        info.ArgumentList.Add(Path.Combine(Output, $"{message.StatementId:N}.html"));
        using var process = Process.Start(info)!;
        await process.WaitForExitAsync();
    }
}
